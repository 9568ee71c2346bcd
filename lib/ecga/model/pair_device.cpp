#include "pair_device.hpp"

#include <algorithm>
#include <bit>

#include <device/verification/fault_detection.hpp>
#include <support/stopwatch.hpp>

namespace clopt::ecga {
namespace {

constexpr std::uint32_t pair_group = 64;
constexpr std::uint32_t table_group = 256;
constexpr std::uint32_t diagonal_group = 256;

constexpr double short_count_by_matrix_units = 2e12;
constexpr double short_count = 2e11;
constexpr double short_count_of_processors = 1e9;
// Of several launches.
constexpr double seconds_of_launch = 0.05;
constexpr std::uint32_t rows_of_tile_of_a_processor = 32;
constexpr std::uint32_t rows_of_tile_elsewhere = 128;

double bits_of_short_count(const Device& device, Counting counting) {
  if (device.info().kind == DeviceKind::cpu) return short_count_of_processors;
  return counting == Counting::matrix ? short_count_by_matrix_units : short_count;
}

std::vector<std::uint8_t> ones_of_numbers(int bits) {
  std::vector<std::uint8_t> table(std::size_t{1} << bits);
  for (std::size_t x = 0; x < table.size(); ++x) table[x] = static_cast<std::uint8_t>(std::popcount(x));
  return table;
}

}  // namespace

PairDevice::PairDevice(Device& device, Queue& queue, const Dimensions& dimensions, Counting counting,
                       const Logarithms& logarithms)
    : short_count_(ecga::bits_of_short_count(device, counting)),
      pacing_(short_count_, short_count_),
      device_(device),
      queue_(queue),
      dimensions_(dimensions),
      counted_words_(dimensions.counted_words) {
  locus_sums_ = device.kernel<operations::LocusSums>();
  clear_edges_ = device.kernel<operations::ClearEdges>();
  histogram_sums_ = device.kernel<operations::HistogramSums>();
  histogram_gains_ = device.kernel<operations::HistogramGains>();
  if (has_rows()) {
    make_rows_ = device.kernel<operations::MakeRows>();
    make_block_rows_ = device.kernel<operations::MakeBlockRows>();
    count_pairs_ = PairKernels(device, counting);
    count_diagonal_ = device.kernel<operations::CountDiagonal>();
    locus_gains_ = device.kernel<operations::LocusGains>();
    group_sums_ = device.kernel<operations::GroupSums>();
    small_pair_gains_ = device.kernel<operations::SmallPairGains>();
    pair_gains_ = device.kernel<operations::PairGains>();
  }
  const bool has_table = counting == Counting::table_8 || counting == Counting::table_16;
  const int bits = counting == Counting::table_16 ? 16 : 8;
  if (has_table) table_gains_ = device.kernel<operations::TableGains>(table_program(bits));
  const auto length = dimensions.length;
  rows_ = device.buffer<std::uint32_t>("rows", std::size_t{length} * dimensions.row_words);
  counted_ = device.buffer<std::uint32_t>("counted rows", static_cast<std::size_t>(dimensions.counted_bytes() / 4));
  totals_ = zeroed_buffer<std::uint32_t>(device, queue, "individuals of layers", ECGA_MOST_LAYERS);
  counts_ = device.buffer<std::uint32_t>("counts", static_cast<std::size_t>(dimensions.counts_bytes() / 4));
  ones_ = device.buffer<std::uint32_t>("ones", length);
  groups_ = device.buffer<Group>("groups", dimensions.most_groups());
  sums_ = device.buffer<std::int64_t>("sums", dimensions.most_groups());
  lists_ = device.buffer<std::uint32_t>("lists", std::size_t{64} * length + 4096);
  products_ = device.buffer<Product>("products", std::max<std::size_t>(dimensions.most_rows - length, 1));
  table_ = device.buffer<std::int64_t>("logarithms", logarithms.table.size());
  queue.write_later(table_, logarithms.table);
  if (has_table) {
    const auto table = ones_of_numbers(bits);
    look_up_ = device.buffer<std::uint8_t>("table", table.size());
    queue.write(look_up_, table);
  }
}

bool PairDevice::is_able() const {
  return !has_rows() || device_.kernel<operations::CountPairs>().max_group_size() >= count_group;
}

void PairDevice::begin() {
  uploaded_lists_ = 0;
  summed_groups_ = made_rows_ = dimensions_.length;
  diagonal_rows_ = 0;
  queue_.launch(locus_sums_, Range::of_items(dimensions_.length),
                {.ones = ones_,
                 .logarithms = table_,
                 .sums = sums_,
                 .individuals = dimensions_.individuals,
                 .length = dimensions_.length});
}

// What was uploaded and stays is not uploaded again; groups change their places from pass to pass.
void PairDevice::take(const GroupLists& lists) {
  if (lists_.size() < lists.lists.size()) {
    lists_ = device_.buffer<std::uint32_t>("lists", 2 * lists.lists.size());
    uploaded_lists_ = 0;
  }
  queue_.write_later(lists_, std::span(lists.lists).subspan(uploaded_lists_), uploaded_lists_);
  uploaded_lists_ = lists.kept;
  queue_.write_later(groups_, lists.groups);
  const auto made = made_rows_ - dimensions_.length;
  const auto count = lists.products.size() - made;
  if (count == 0) return;
  queue_.write_later(products_, std::span(lists.products).subspan(made));
  queue_.launch(make_rows_, Range{{counted_words_, count, 1}, {0, 1, 1}},
                {.rows = counted_,
                 .lists = lists_,
                 .products = products_,
                 .totals = totals_,
                 .first_row = made_rows_,
                 .row_words = counted_words_,
                 .layers = dimensions_.layers});
  made_rows_ += static_cast<std::uint32_t>(count);
}

void PairDevice::sum_missing(const GroupLists& lists, const Pairs& which, bool has_large) {
  if (has_rows() && diagonal_rows_ < made_rows_) count_diagonal(diagonal_rows_, made_rows_);
  diagonal_rows_ = made_rows_;
  auto missing = which;
  missing.fresh = summed_groups_;
  missing.fresh_count = static_cast<std::uint32_t>(lists.groups.size()) - summed_groups_;
  if (missing.fresh_count > 0) sum_fresh(missing, has_large);
}

void PairDevice::sum_fresh(const Pairs& which, bool has_large) {
  const auto range = [&](std::uint32_t most) {
    return Range::of_groups(which.fresh_count, std::min(pair_group, most));
  };
  if (has_rows())
    queue_.launch(
        group_sums_, range(group_sums_.max_group_size()),
        {.counts = counts_, .groups = groups_, .lists = lists_, .logarithms = table_, .sums = sums_, .pairs = which});
  if (has_large || !has_rows())
    queue_.launch(
        histogram_sums_, range(histogram_sums_.max_group_size()),
        {.rows = rows_, .groups = groups_, .lists = lists_, .logarithms = table_, .sums = sums_, .pairs = which});
  summed_groups_ = which.fresh + which.fresh_count;
}

Tiles PairDevice::tiles(std::uint32_t first, std::uint32_t first_count, std::uint32_t second,
                        std::uint32_t second_count) const {
  return {first, first_count, second, second_count, counted_words_, dimensions_.layers, 1, dimensions_.most_rows};
}

void PairDevice::count(const Tiles& tiles, std::uint32_t first_row, std::uint32_t end_row,
                       const Buffer<std::uint32_t>* lists) {
  const auto& own = lists ? *lists : lists_;
  if (bits_of_rows(tiles, tiles.first_count) > static_cast<double>(pacing_.steps())) return count_in_pieces(tiles, own);
  count_pairs_.launch(queue_, counted_, own, totals_, counts_, tiles, counted_words_, first_row, end_row);
}

// The first list's rows are most often the last ones of the second list, and each is counted with those before it.
double PairDevice::bits_of_rows(const Tiles& tiles, std::uint32_t count) const {
  const double before = tiles.second_count > tiles.first_count ? tiles.second_count - tiles.first_count : 0;
  return 32.0 * counted_words_ * count * (before + count / 2.0);
}

void PairDevice::count_in_pieces(const Tiles& tiles, const Buffer<std::uint32_t>& lists) {
  const auto rows_of_tile =
      device_.info().kind == DeviceKind::cpu ? rows_of_tile_of_a_processor : rows_of_tile_elsewhere;
  queue_.finish();
  for (std::uint32_t begin = 0, end = 0;; begin = end) {
    const double counted = bits_of_rows(tiles, begin);
    double bits = 0;
    while (end < tiles.first_count && bits < static_cast<double>(pacing_.steps())) {
      end = std::min(end + rows_of_tile, tiles.first_count);
      bits = bits_of_rows(tiles, end) - counted;
    }
    auto piece = tiles;
    piece.first = tiles.first + begin;
    piece.first_count = end - begin;
    const Stopwatch stopwatch;
    // Rows are not cut into parts: pieces are large enough.
    count_pairs_.launch(queue_, counted_, lists, totals_, counts_, piece, counted_words_, 0, 0);
    queue_.finish();
    pacing_.aim_at(seconds_of_launch, static_cast<std::uint64_t>(bits), stopwatch.seconds());
    if (end == tiles.first_count) return;
    between_launches_();
  }
}

void PairDevice::count_diagonal(std::uint32_t first_row, std::uint32_t end_row) {
  queue_.launch(count_diagonal_,
                Range::of_groups(end_row - first_row, std::min(diagonal_group, count_diagonal_.max_group_size())),
                {.rows = counted_,
                 .totals = totals_,
                 .counts = counts_,
                 .first_row = first_row,
                 .row_words = counted_words_,
                 .layers = dimensions_.layers,
                 .stride = dimensions_.most_rows});
}

void PairDevice::make_blocks(const Buffer<Block>& blocks, std::uint32_t count, const Buffer<std::uint32_t>& lists) {
  queue_.launch(make_block_rows_, Range{{counted_words_, count, 1}, {0, 1, 1}},
                {.rows = counted_,
                 .lists = lists,
                 .blocks = blocks,
                 .totals = totals_,
                 .row_words = counted_words_,
                 .layers = dimensions_.layers});
}

void PairDevice::clear(const Buffer<Edge>& edges) {
  queue_.launch(clear_edges_, Range::of_items(1, 1), {.edges = edges});
}

void PairDevice::find_locus_gains(const Pairs& which, const Buffer<Edge>& edges) {
  queue_.launch(locus_gains_, Range{{which.fresh + which.fresh_count, which.fresh_count, 1}, {0, 1, 1}},
                {.counts = counts_,
                 .ones = ones_,
                 .lists = lists_,
                 .sums = sums_,
                 .logarithms = table_,
                 .edges = edges,
                 .pairs = which});
}

void PairDevice::find_gains(const Pairs& which, bool has_large, const Buffer<Edge>& edges) {
  const auto range = [&](std::uint32_t wanted, std::uint32_t most) {
    const auto group = std::min(wanted, most);
    return Range{{std::uint64_t{which.partner_count} * group, which.fresh_count, 1}, {group, 1, 1}};
  };
  if (table_gains_)
    queue_.launch(table_gains_, range(table_group, table_gains_.max_group_size()),
                  {.rows = rows_,
                   .table = look_up_,
                   .groups = groups_,
                   .lists = lists_,
                   .sums = sums_,
                   .logarithms = table_,
                   .edges = edges,
                   .pairs = which});
  else if (has_large || !has_rows())
    queue_.launch(histogram_gains_, range(pair_group, histogram_gains_.max_group_size()),
                  {.rows = rows_,
                   .groups = groups_,
                   .lists = lists_,
                   .sums = sums_,
                   .logarithms = table_,
                   .edges = edges,
                   .pairs = which});
  if (!has_rows()) return;
  const auto group = std::min(pair_group, small_pair_gains_.max_group_size());
  const std::uint64_t others = (std::uint64_t{which.partner_count} + group - 1) / group * group;
  queue_.launch(small_pair_gains_, Range{{others, which.fresh_count, 1}, {group, 1, 1}},
                {.counts = counts_,
                 .groups = groups_,
                 .lists = lists_,
                 .sums = sums_,
                 .logarithms = table_,
                 .edges = edges,
                 .pairs = which});
  // Unless all groups are small.
  if (1U << dimensions_.most_loci > ECGA_SMALL_PATTERNS)
    queue_.launch(pair_gains_, range(pair_group, pair_gains_.max_group_size()),
                  {.counts = counts_,
                   .groups = groups_,
                   .lists = lists_,
                   .sums = sums_,
                   .logarithms = table_,
                   .edges = edges,
                   .pairs = which});
}

}  // namespace clopt::ecga
