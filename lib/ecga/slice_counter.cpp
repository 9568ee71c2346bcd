#include "slice_counter.hpp"

#include <algorithm>

#include "matrix_units.hpp"

namespace clopt::ecga {
namespace {

// Work-groups that a compute unit should get of a launch; with fewer, rows are cut into parts.
constexpr std::uint64_t groups_for_a_unit = 8;
constexpr std::uint32_t fewest_part_words = 128;

std::uint64_t tiles_of(std::uint64_t rows) { return (rows + tile - 1) / tile; }

}  // namespace

void launch_counts(Queue& queue, const Device& device, Counting counting,
                   const Kernel<In<std::uint32_t>, In<std::uint32_t>, InOut<std::uint32_t>, Tiles>& kernel,
                   const Buffer<std::uint32_t>& rows, const Buffer<std::uint32_t>& lists,
                   const Buffer<std::uint32_t>& counts, Tiles tiles, std::uint32_t first_row, std::uint32_t end_row) {
  const auto groups = tiles_of(tiles.first_count) * tiles_of(tiles.second_count);
  const auto& info = device.info();
  const std::uint64_t wanted = info.kind == DeviceKind::cpu ? 1 : groups_for_a_unit * info.compute_units;
  const auto parts = std::clamp<std::uint64_t>(wanted / groups, 1, std::max(tiles.words / fewest_part_words, 1U));
  tiles.part_words = static_cast<std::uint32_t>((tiles.words / 16 + parts - 1) / parts * 16);
  if (tiles.part_words < tiles.words)
    queue.fill(counts, 0U, std::size_t{first_row} * tiles.stride, std::size_t{end_row - first_row} * tiles.stride);
  queue.launch(kernel, tiles_range(tiles, counting == Counting::matrix ? matrix_group : count_group), rows, lists,
               counts, tiles);
}

SliceCounter::SliceCounter(Device& device, const Shape& shape, Counting counting, std::uint32_t first_word,
                           std::uint32_t words)
    : device_(device),
      shape_(shape),
      counting_(counting == Counting::matrix && has_matrix_units(device) ? Counting::matrix : Counting::popcount),
      first_word_(first_word),
      words_(words),
      queue_(device.queue()),
      rows_(device.buffer<std::uint32_t>("rows of a part", std::size_t{shape.most_rows} * words)),
      counts_(device.buffer<std::uint32_t>("counts of a part", static_cast<std::size_t>(shape.counts_bytes() / 4))),
      products_(device.buffer<Product>("products", std::max<std::size_t>(shape.most_rows - shape.length, 1))),
      make_rows_(device.kernel(make_rows)),
      count_pairs_(counting_ == Counting::matrix ? device.kernel(count_pairs_matrix, matrix_program())
                                                 : device.kernel(count_pairs)),
      host_slice_(std::size_t{shape.length} * words) {}

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
    queue_->launch(make_rows_, Range{{words_, products.size(), 1}, {0, 1, 1}}, rows_, lists_, products_, first_row,
                   words_);
  }
  auto tiles = whole;
  tiles.row_words = words_;
  tiles.words = words_;
  tiles.part_words = words_;
  tiles.stride = end_row;
  launch_counts(*queue_, device_, counting_, count_pairs_, rows_, lists_, counts_, tiles, first_row, end_row);
  host_counts_.resize(std::size_t{end_row - first_row} * end_row);
  counted_ = queue_->read_later(counts_, std::span(host_counts_), std::size_t{first_row} * end_row);
  queue_->flush();
}

const std::vector<std::uint32_t>& SliceCounter::counts() {
  counted_.wait();
  return host_counts_;
}

}  // namespace clopt::ecga
