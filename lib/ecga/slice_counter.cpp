#include "slice_counter.hpp"

#include <clopt/error.hpp>

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
    group_ = matrix_group;
    count_ = device.kernel(count_pairs_matrix, matrix_program());
    wide_ = device.kernel(count_pairs_wide, matrix_program());
    if (wide_.max_group_size() < wide_group) wide_ = {};
  } else {
    count_ = device.kernel(count_pairs);
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
  if (tiles.parts > 1)
    queue.fill(counts, 0U, std::size_t{first_row} * tiles.stride, std::size_t{end_row - first_row} * tiles.stride);
  queue.launch(is_wide ? wide_ : count_, tiles_range(tiles, is_wide ? wide_group : group_, side), rows, lists, totals,
               counts, tiles);
}

SliceCounter::SliceCounter(Device& device, const Shape& shape, Counting counting, std::uint32_t first_word,
                           std::uint32_t words)
    : device_(device),
      shape_(shape),
      first_word_(first_word),
      words_(words),
      queue_(device.queue()),
      rows_(device.buffer<std::uint32_t>("rows of a part", std::size_t{shape.most_rows} * words)),
      counts_(device.buffer<std::uint32_t>("counts of a part", static_cast<std::size_t>(shape.counts_bytes() / 4))),
      products_(device.buffer<Product>("products", std::max<std::size_t>(shape.most_rows - shape.length, 1))),
      make_rows_(device.kernel(make_rows)),
      count_pairs_(device,
                   counting == Counting::matrix && has_matrix_units(device) ? Counting::matrix : Counting::popcount),
      totals_(device.buffer<std::uint32_t>("individuals of a part", 1)),
      host_slice_(std::size_t{shape.length} * words) {
  queue_->fill(totals_, 32 * words);
}

// What is still under way reads and writes this one's memory.
SliceCounter::~SliceCounter() {
  try {
    queue_->finish();
  } catch (const Error&) {
    // A device that is lost is left alone.
  }
}

void SliceCounter::load(std::span<const std::uint32_t> rows) {
  for (std::size_t row = 0; row < shape_.length; ++row)
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(row * shape_.row_words + first_word_), words_,
                host_slice_.begin() + static_cast<std::ptrdiff_t>(row * words_));
  queue_->write_later(rows_, host_slice_);
}

// Row p of the table has as many entries as there are rows now, so that what is read has no gaps.
void SliceCounter::count(std::span<const std::uint32_t> lists, std::span<const Product> products, const Tiles& whole,
                         std::uint32_t first_row, std::uint32_t end_row) {
  if (lists_.size() < lists.size()) lists_ = device_.buffer<std::uint32_t>("lists", 2 * lists.size());
  queue_->write_later(lists_, lists);
  if (!products.empty()) {
    queue_->write_later(products_, products);
    queue_->launch(make_rows_, Range{{words_, products.size(), 1}, {0, 1, 1}}, rows_, lists_, products_, totals_,
                   first_row, words_, 1U);
  }
  auto tiles = whole;
  tiles.row_words = words_;
  tiles.layers = 1;
  tiles.stride = end_row;
  count_pairs_.launch(*queue_, rows_, lists_, totals_, counts_, tiles, words_, first_row, end_row);
  host_counts_.resize(std::size_t{end_row - first_row} * end_row);
  counted_ = queue_->read_later(counts_, std::span(host_counts_), std::size_t{first_row} * end_row);
  queue_->flush();
}

const std::vector<std::uint32_t>& SliceCounter::counts() {
  counted_.wait();
  return host_counts_;
}

}  // namespace clopt::ecga
