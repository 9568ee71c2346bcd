#include "device_counter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <numeric>

namespace clopt::ecga {
namespace {

constexpr std::uint32_t pair_group = 64;
constexpr std::uint32_t table_group = 256;
constexpr std::uint32_t ones_group = 256;
// Groups that a search may make: every merge, and guesses that fail.
std::size_t most_groups(std::uint32_t length) { return std::size_t{6} * length + 1024; }

std::vector<std::uint8_t> ones_of_numbers(int bits) {
  std::vector<std::uint8_t> table(std::size_t{1} << bits);
  for (std::size_t x = 0; x < table.size(); ++x) table[x] = static_cast<std::uint8_t>(std::popcount(x));
  return table;
}

}  // namespace

DeviceCounter::DeviceCounter(Device& device, Queue& queue, const Shape& shape, Counting counting,
                             const Logarithms& logarithms)
    : device_(device),
      queue_(queue),
      shape_(shape),
      logarithms_(logarithms),
      helpers_(device, queue, shape, counting),
      layers_(shape.layers) {
  const auto begin = std::chrono::steady_clock::now();
  count_ones_ = device.kernel(count_ones);
  locus_sums_ = device.kernel(locus_sums);
  clear_edges_ = device.kernel(clear_edges);
  histogram_sums_ = device.kernel(histogram_sums);
  histogram_gains_ = device.kernel(histogram_gains);
  if (has_rows()) {
    make_rows_ = device.kernel(make_rows);
    make_block_rows_ = device.kernel(make_block_rows);
    list_layers_ = device.kernel(list_layers);
    select_layers_ = device.kernel(select_layers);
    count_pairs_ = PairKernels(device, counting);
    locus_gains_ = device.kernel(locus_gains);
    group_sums_ = device.kernel(group_sums);
    small_pair_gains_ = device.kernel(small_pair_gains);
    pair_gains_ = device.kernel(pair_gains);
  }
  const int bits = counting == Counting::table_16 ? 16 : 8;
  if (counting == Counting::table_8 || counting == Counting::table_16)
    table_gains_ = device.kernel(table_gains, table_program(bits));
  build_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  const auto length = shape.length;
  rows_ = device.buffer<std::uint32_t>("rows", std::size_t{length} * shape.row_words);
  counted_ = device.buffer<std::uint32_t>("counted rows", static_cast<std::size_t>(shape.counted_bytes() / 4));
  copies_ = device.buffer<std::uint32_t>("copies", shape.stride());
  totals_ = device.buffer<std::uint32_t>("individuals of layers", ECGA_MOST_LAYERS);
  chosen_ = device.buffer<std::uint32_t>("layers", std::size_t{shape.layers} * shape.stride());
  queue.fill(copies_, 0U);
  counts_ = device.buffer<std::uint32_t>("counts", static_cast<std::size_t>(shape.counts_bytes() / 4));
  ones_ = device.buffer<std::uint32_t>("ones", length);
  groups_ = device.buffer<Group>("groups", most_groups(length));
  sums_ = device.buffer<std::int64_t>("sums", most_groups(length));
  lists_ = device.buffer<std::uint32_t>("lists", std::size_t{64} * length + 4096);
  products_ = device.buffer<Product>("products", std::max<std::size_t>(shape.most_rows - length, 1));
  edges_ = device.buffer<Edge>("edges", static_cast<std::size_t>(shape.most_edges() + 1));
  table_ = device.buffer<std::int64_t>("logarithms", logarithms.table.size());
  queue.write_later(table_, logarithms.table);
  if (table_gains_) {
    const auto table = ones_of_numbers(bits);
    look_up_ = device.buffer<std::uint8_t>("table", table.size());
    queue.write(look_up_, table);
  }
  host_ones_.resize(length);
  position_.resize(length);
  host_lists_.resize(length);
  std::iota(host_lists_.begin(), host_lists_.end(), 0U);
  for (std::uint32_t i = 0; i < length; ++i) host_groups_.push_back({i, i, 1, i, i + 1});
}

const std::vector<std::uint32_t>& DeviceCounter::begin() {
  host_lists_.resize(shape_.length);
  host_groups_.resize(shape_.length);
  own_rows_.assign(shape_.length, 0);
  kept_lists_ = shape_.length;
  uploaded_lists_ = 0;
  rows_used_ = shape_.length;
  rows_taken_ = 0;
  merges_ = 0;
  has_large_ = false;
  const auto group = std::min(ones_group, count_ones_.max_group_size());
  queue_.launch(count_ones_, Range::of_groups(shape_.length, group), rows_, ones_, shape_.row_words);
  queue_.launch(locus_sums_, Range::of_items(shape_.length), ones_, table_, sums_, shape_.individuals, shape_.length);
  queue_.read(ones_, std::span(host_ones_));
  return host_ones_;
}

// Further devices have parts of the rows with all copies, one after the other.
void DeviceCounter::select(const Buffer<std::uint32_t>& population, const Buffer<std::uint32_t>& parents) {
  if (!has_rows()) return;
  if (helpers_.empty()) {
    const auto groups = (std::uint64_t{shape_.individuals} + list_group - 1) / list_group;
    queue_.launch(list_layers_, Range::of_groups(groups, std::min(list_group, list_layers_.max_group_size())), copies_,
                  totals_, chosen_, shape_.individuals, shape_.stride(), layers_);
  } else {
    queue_.copy(parents, chosen_, shape_.individuals);
    queue_.fill(totals_, 32 * helpers_.own_words(), 0, 1);
    helpers_.load(rows_);
  }
  queue_.launch(select_layers_, Range{{shape_.counted_words, shape_.words, 1}, {0, 1, 1}}, population, chosen_, totals_,
                counted_, shape_.individuals, shape_.stride(), shape_.counted_words, shape_.length, layers_);
}

void DeviceCounter::launch_products(const RowLists& rows, std::uint32_t first_row) {
  queue_.launch(make_rows_, Range{{shape_.counted_words, rows.host_products.size(), 1}, {0, 1, 1}}, counted_,
                rows.lists, products_, totals_, first_row, shape_.counted_words, layers_);
}

void DeviceCounter::count_blocks(const Buffer<Block>& blocks, std::uint32_t block_count, const RowLists& rows,
                                 std::uint32_t first_row) {
  const auto count = static_cast<std::uint32_t>(rows.host_products.size());
  const auto list = static_cast<std::uint32_t>(rows.host_lists.size()) - count;
  queue_.launch(make_block_rows_, Range{{shape_.counted_words, block_count, 1}, {0, 1, 1}}, counted_, rows.lists,
                blocks, totals_, shape_.counted_words, layers_);
  count_rows(rows, tiles_of({list, count}, {list, count}), first_row, first_row + count);
}

Tiles DeviceCounter::tiles_of(const ListPart& first, const ListPart& second) const {
  return {first.begin, first.count, second.begin, second.count, shape_.counted_words, layers_, 1, shape_.most_rows};
}

void DeviceCounter::share_with(std::span<const std::shared_ptr<Device>> devices) {
  if (has_rows()) helpers_.share(devices);
  layers_ = helpers_.empty() ? shape_.layers : 1;
}

void DeviceCounter::drop_helper(std::size_t helper) {
  helpers_.drop(helper);
  layers_ = helpers_.empty() ? shape_.layers : 1;
  queue_.fill(copies_, 0U);
}

std::vector<std::int64_t> DeviceCounter::entropies() const {
  const auto& table = logarithms_.table;
  std::vector<std::int64_t> entropies;
  for (const auto count : host_ones_)
    entropies.push_back(table[shape_.individuals] - table[count] - table[shape_.individuals - count]);
  return entropies;
}

// A locus cannot gain more than its entropy, and pays one unit at least.
std::vector<std::uint32_t> DeviceCounter::active_loci() const {
  std::vector<std::uint32_t> loci;
  if (shape_.most_loci < 2) return loci;
  const auto entropies = this->entropies();
  for (std::uint32_t i = 0; i < shape_.length; ++i)
    if (entropies[i] > logarithms_.unit) loci.push_back(i);
  return loci;
}

Pairs DeviceCounter::pairs(std::uint32_t fresh, std::uint32_t fresh_count, std::size_t others,
                           std::size_t others_count) const {
  return {fresh,
          fresh_count,
          static_cast<std::uint32_t>(others),
          static_cast<std::uint32_t>(others_count),
          shape_.individuals,
          shape_.row_words,
          shape_.most_rows,
          shape_.most_loci,
          static_cast<std::uint32_t>(edges_.size() - 1),
          shape_.most_row_loci,
          logarithms_.table[shape_.individuals],
          logarithms_.unit};
}

// What was uploaded and stays is not uploaded again.
void DeviceCounter::upload(std::size_t first_group) {
  if (lists_.size() < host_lists_.size()) {
    lists_ = device_.buffer<std::uint32_t>("lists", 2 * host_lists_.size());
    uploaded_lists_ = 0;
  }
  queue_.write_later(lists_, std::span(host_lists_).subspan(uploaded_lists_), uploaded_lists_);
  uploaded_lists_ = kept_lists_;
  queue_.write_later(groups_, std::span(host_groups_).subspan(first_group), first_group);
}

// Each device counts its part of the population; the others' counts are added to those of the first.
void DeviceCounter::count_rows(const RowLists& rows, const Tiles& tiles, std::uint32_t first_row,
                               std::uint32_t end_row) {
  helpers_.count(rows.host_lists, rows.host_products, tiles, first_row, end_row);
  count_pairs_.launch(queue_, counted_, rows.lists, totals_, counts_, tiles,
                      helpers_.empty() ? shape_.counted_words : helpers_.own_words(), first_row, end_row);
  helpers_.add_to(counts_, tiles, first_row, end_row);
}

// The list's first entry says how many edges there are; so many as there were last time are read along with it.
template <class Launch>
void DeviceCounter::collect(std::vector<Edge>& edges, const Launch& launch) {
  for (;;) {
    queue_.launch(clear_edges_, Range::of_items(1, 1), edges_);
    launch();
    found_.resize(std::min(expected_edges_ + 1, edges_.size()));
    queue_.read(edges_, std::span(found_));
    const std::size_t count = found_.front().first;
    expected_edges_ = count + count / 4 + 64;
    if (count < edges_.size()) {
      const auto have = found_.size();
      found_.resize(count + 1);
      if (have < found_.size()) queue_.read(edges_, std::span(found_).subspan(have), have);
      edges.assign(found_.begin() + 1, found_.end());
      return;
    }
    edges_ = device_.buffer<Edge>("edges", count + count / 4 + 1);
  }
}

void DeviceCounter::launch_gains(const Pairs& which) {
  const auto range = [&](std::uint32_t wanted, std::uint32_t most) {
    const auto group = std::min(wanted, most);
    return Range{{std::uint64_t{which.others_count} * group, which.fresh_count, 1}, {group, 1, 1}};
  };
  if (table_gains_)
    queue_.launch(table_gains_, range(table_group, table_gains_.max_group_size()), rows_, look_up_, groups_, lists_,
                  sums_, table_, edges_, which);
  else if (has_large_ || !has_rows())
    queue_.launch(histogram_gains_, range(pair_group, histogram_gains_.max_group_size()), rows_, groups_, lists_, sums_,
                  table_, edges_, which);
  if (!has_rows()) return;
  const auto group = std::min(pair_group, small_pair_gains_.max_group_size());
  const std::uint64_t others = (std::uint64_t{which.others_count} + group - 1) / group * group;
  queue_.launch(small_pair_gains_, Range{{others, which.fresh_count, 1}, {group, 1, 1}}, counts_, groups_, lists_,
                sums_, table_, edges_, which);
  // Unless all groups are small.
  if (1U << shape_.most_loci > ECGA_SMALL_PATTERNS)
    queue_.launch(pair_gains_, range(pair_group, pair_gains_.max_group_size()), counts_, groups_, lists_, sums_, table_,
                  edges_, which);
}

void DeviceCounter::count_loci(std::span<const std::uint32_t> loci, std::vector<Edge>& edges) {
  for (std::uint32_t i = 0; i < shape_.length; ++i) host_groups_[i] = {i, i, 1, i, i + 1};
  host_products_.clear();
  host_lists_.resize(kept_lists_);
  host_lists_.insert(host_lists_.end(), loci.begin(), loci.end());
  upload(0);
  const auto count = static_cast<std::uint32_t>(loci.size());
  if (has_rows()) {
    const auto list = static_cast<std::uint32_t>(kept_lists_);
    count_rows({lists_, host_lists_, host_products_}, tiles_of({list, count}, {list, count}), 0, shape_.length);
  }
  collect(edges, [&] {
    const auto which = pairs(0, shape_.length, kept_lists_, loci.size());
    if (!has_rows()) return launch_gains(which);
    queue_.launch(locus_gains_, Range{{count, count, 1}, {0, 1, 1}}, counts_, ones_, lists_, sums_, table_, edges_,
                  which);
  });
}

std::uint32_t DeviceCounter::new_rows(std::uint32_t one, std::uint32_t other) const {
  if (one + other > shape_.most_row_loci) return 0;
  return ((1U << one) - 1) * ((1U << other) - 1);
}

// A union's rows are its parts', and one for each subset with loci of both.
void DeviceCounter::add_group(const Union& parts) {
  const auto a = host_groups_[parts.first];
  const auto b = host_groups_[parts.second];
  Group group{0, static_cast<std::uint32_t>(host_lists_.size()), a.size + b.size, 0, 0};
  for (const auto& part : {a, b})
    for (std::uint32_t s = 0; s < part.size; ++s) host_lists_.push_back(host_lists_[part.loci + s]);
  group.rows = static_cast<std::uint32_t>(host_lists_.size());
  const auto fresh = new_rows(a.size, b.size);
  if (fresh > 0) {
    for (std::uint32_t m = 1; m < 1U << group.size; ++m) {
      const auto in_a = m & ((1U << a.size) - 1);
      const auto in_b = m >> a.size;
      if (in_a == 0 || in_b == 0) {
        host_lists_.push_back(host_lists_[in_b == 0 ? a.rows + in_a - 1 : b.rows + in_b - 1]);
      } else {
        host_lists_.push_back(rows_used_++);
        host_products_.push_back({group.loci, m});
      }
    }
  }
  if (group.size > shape_.most_row_loci) has_large_ = true;
  own_rows_.push_back(fresh);
  host_groups_.push_back(group);
}

// A union's loci are those of its parts one after the other: where larger groups are placed first, every group is an
// interval.
void DeviceCounter::place_groups(std::span<const std::uint32_t> groups) {
  constexpr std::uint32_t unplaced = ~std::uint32_t{0};
  std::fill(position_.begin(), position_.end(), unplaced);
  std::uint32_t next = 0;
  for (std::uint32_t size = shape_.most_loci; size > 0; --size)
    for (const auto index : groups) {
      auto& group = host_groups_[index];
      if (group.size != size) continue;
      const auto* loci = &host_lists_[group.loci];
      if (position_[loci[0]] == unplaced)
        for (std::uint32_t s = 0; s < size; ++s) position_[loci[s]] = next++;
      group.begin = position_[loci[0]];
      group.end = group.begin + size;
    }
}

// New rows against all rows of groups that still count, each once.
Tiles DeviceCounter::rows_to_count(std::uint32_t first_new, std::span<const std::uint32_t> groups) {
  is_used_.assign(rows_used_, 0);
  for (const auto index : groups) {
    const auto& group = host_groups_[index];
    if (group.size > shape_.most_row_loci) continue;
    for (std::uint32_t m = 0; m < (1U << group.size) - 1; ++m) is_used_[host_lists_[group.rows + m]] = 1;
  }
  const auto first = static_cast<std::uint32_t>(host_lists_.size());
  for (std::uint32_t row = first_new; row < rows_used_; ++row) host_lists_.push_back(row);
  const auto second = static_cast<std::uint32_t>(host_lists_.size());
  for (std::uint32_t row = 0; row < rows_used_; ++row)
    if (is_used_[row]) host_lists_.push_back(row);
  return tiles_of({first, second - first}, {second, static_cast<std::uint32_t>(host_lists_.size()) - second});
}

void DeviceCounter::count_unions(std::span<const Union> unions, std::span<const std::uint32_t> others,
                                 std::vector<Edge>& edges) {
  const auto fresh = static_cast<std::uint32_t>(host_groups_.size());
  const auto first_new = rows_used_;
  host_lists_.resize(kept_lists_);
  host_products_.clear();
  for (const auto& parts : unions) add_group(parts);
  kept_lists_ = host_lists_.size();
  host_lists_.insert(host_lists_.end(), others.begin(), others.end());
  for (std::uint32_t i = 0; i < unions.size(); ++i) host_lists_.push_back(fresh + i);
  const auto which =
      pairs(fresh, static_cast<std::uint32_t>(unions.size()), kept_lists_, others.size() + unions.size());
  const std::vector<std::uint32_t> groups(host_lists_.begin() + static_cast<std::ptrdiff_t>(kept_lists_),
                                          host_lists_.end());
  place_groups(groups);
  Tiles tiles{};
  if (rows_used_ > first_new) tiles = rows_to_count(first_new, groups);
  upload(0);
  if (rows_used_ > first_new) {
    queue_.write_later(products_, host_products_);
    const RowLists rows{lists_, host_lists_, host_products_};
    launch_products(rows, first_new);
    count_rows(rows, tiles, first_new, rows_used_);
  }
  if (has_rows())
    queue_.launch(group_sums_, Range::of_groups(unions.size(), std::min(pair_group, group_sums_.max_group_size())),
                  counts_, groups_, lists_, table_, sums_, which);
  if (has_large_ || !has_rows())
    queue_.launch(histogram_sums_,
                  Range::of_groups(unions.size(), std::min(pair_group, histogram_sums_.max_group_size())), rows_,
                  groups_, lists_, table_, sums_, which);
  collect(edges, [&] {
    auto pairs_now = which;
    pairs_now.most_edges = static_cast<std::uint32_t>(edges_.size() - 1);
    launch_gains(pairs_now);
  });
}

// Merges that come for certain need a row for each subset at most; the rest is for guesses.
std::size_t DeviceCounter::affordable(std::span<const Union> unions) const {
  const auto left = shape_.length - merges_;
  std::size_t groups = most_groups(shape_.length) - host_groups_.size();
  std::uint64_t rows = shape_.most_rows - rows_used_;
  const std::uint64_t reserved = shape_.needed_rows() - std::min(rows_taken_, shape_.needed_rows());
  std::vector<std::uint32_t> sizes;
  std::size_t count = 0;
  for (const auto& parts : unions) {
    const auto size_of = [&](std::uint32_t group) {
      return group < host_groups_.size() ? host_groups_[group].size : sizes[group - host_groups_.size()];
    };
    const auto one = size_of(parts.first);
    const auto other = size_of(parts.second);
    sizes.push_back(one + other);
    const auto need = new_rows(one, other);
    if (count > 0 && (need + reserved > rows || groups <= left)) break;
    rows -= std::min<std::uint64_t>(need, rows);
    --groups;
    ++count;
  }
  return count;
}

void DeviceCounter::take(std::uint32_t group) {
  rows_taken_ += own_rows_[group];
  ++merges_;
}

}  // namespace clopt::ecga
