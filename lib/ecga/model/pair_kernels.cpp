#include "pair_kernels.hpp"

#include <algorithm>

#include "matrix_units.hpp"

namespace clopt::ecga {
namespace {

// Work-groups that a compute unit should get of a launch; with fewer, rows are cut into parts.
constexpr std::uint64_t groups_for_a_unit = 8;
constexpr std::uint32_t fewest_part_words = 128;

// From how many rows on larger tiles are quicker.
constexpr std::uint32_t fewest_wide_rows = 96;

std::uint64_t tiles_of(std::uint64_t rows, std::uint32_t side) { return (rows + side - 1) / side; }

}  // namespace

PairKernels::PairKernels(Device& device, Counting counting) {
  const auto& info = device.info();
  if (info.kind != DeviceKind::cpu) wanted_groups_ = groups_for_a_unit * info.compute_units;
  if (counting == Counting::matrix) {
    matrix_ = device.kernel<operations::CountPairsMatrix>(matrix_program());
    wide_ = device.kernel<operations::CountPairsWide>(matrix_program());
    if (wide_.max_group_size() < wide_group) wide_ = {};
  } else {
    count_ = device.kernel<operations::CountPairs>();
  }
}

void PairKernels::launch(Queue& queue, const Buffer<std::uint32_t>& rows, const Buffer<std::uint32_t>& lists,
                         const Buffer<std::uint32_t>& totals, const Buffer<std::uint32_t>& counts, Tiles tiles,
                         std::uint32_t words, std::uint32_t first_row, std::uint32_t end_row) const {
  const bool is_wide = wide_ && tiles.first_count >= fewest_wide_rows;
  const auto side = is_wide ? wide_tile : tile;
  const auto wanted = is_wide ? wanted_groups_ / 4 : wanted_groups_;
  const auto groups = tiles_of(tiles.first_count, side) * tiles_of(tiles.second_count, side);
  tiles.parts = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(wanted / groups, 1, std::max(words / fewest_part_words, 1U)));
  if (first_row == end_row) tiles.parts = 1;
  if (tiles.parts > 1)
    queue.fill(counts, 0U, std::size_t{first_row} * tiles.stride, std::size_t{end_row - first_row} * tiles.stride);
  const auto launch_by = [&](const auto& kernel, std::uint32_t group) {
    queue.launch(kernel, tiles_range(tiles, group, side),
                 {.rows = rows, .lists = lists, .totals = totals, .counts = counts, .tiles = tiles});
  };
  if (is_wide)
    launch_by(wide_, wide_group);
  else if (matrix_)
    launch_by(matrix_, matrix_group);
  else
    launch_by(count_, count_group);
}

}  // namespace clopt::ecga
