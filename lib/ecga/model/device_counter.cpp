#include "device_counter.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <device/verification/fault_detection.hpp>
#include <support/stopwatch.hpp>

namespace clopt::ecga {
namespace {

constexpr std::uint32_t ones_group = 256;
// With fewer loci, or unions, a band is not worth the launches.
constexpr std::uint32_t fewest_loci = 16;
constexpr std::uint32_t fewest_unions = 8;

}  // namespace

DeviceCounter::DeviceCounter(Device& device, Queue& queue, const Dimensions& dimensions, Counting counting,
                             const Logarithms& logarithms)
    : queue_(queue),
      dimensions_(dimensions),
      logarithms_(logarithms),
      devices_(device, queue, dimensions, counting, logarithms) {
  count_ones_ = device.kernel<operations::CountOnes>();
  if (has_rows()) {
    list_layers_ = device.kernel<operations::ListLayers>();
    select_layers_ = device.kernel<operations::SelectLayers>();
  }
  copies_ = device.buffer<std::uint32_t>("copies", dimensions.stride());
  chosen_ = zeroed_buffer<std::uint32_t>(device, queue, "layers", std::size_t{dimensions.layers} * dimensions.stride());
  queue.fill(copies_, 0U);
  host_ones_.resize(dimensions.length);
  position_.resize(dimensions.length);
  made_.lists.resize(dimensions.length);
  std::iota(made_.lists.begin(), made_.lists.end(), 0U);
  for (std::uint32_t i = 0; i < dimensions.length; ++i) made_.groups.push_back({i, i, 1, i, i + 1});
}

// Several devices have rows without gaps between them, so that they are quickly passed on.
void DeviceCounter::select(const Buffer<std::uint32_t>& population) {
  devices_.forget_rows();
  if (!has_rows()) return;
  auto& own = *devices_.first().pairs;
  const auto group = std::min(list_group, list_layers_.max_group_size());
  queue_.launch(list_layers_, Range::of_groups((std::uint64_t{dimensions_.individuals} + group - 1) / group, group),
                {.copies = copies_,
                 .totals = own.totals(),
                 .chosen = chosen_,
                 .individuals = dimensions_.individuals,
                 .stride = dimensions_.stride(),
                 .layers = dimensions_.layers});
  own.set_counted_words(dimensions_.counted_words);
  if (!devices_.is_alone()) {
    std::vector<std::uint32_t> totals(dimensions_.layers);
    queue_.read(own.totals(), std::span(totals));
    std::uint32_t words = 0;
    require_counts(totals);
    for (const auto total : totals) words += shared::ecga_layer_words(total);
    own.set_counted_words(words);
  }
  queue_.launch(select_layers_, Range{{own.counted_words(), dimensions_.words, 1}, {0, 1, 1}},
                {.population = population,
                 .chosen = chosen_,
                 .totals = own.totals(),
                 .rows = own.counted(),
                 .individuals = dimensions_.individuals,
                 .stride = dimensions_.stride(),
                 .row_words = own.counted_words(),
                 .length = dimensions_.length,
                 .layers = dimensions_.layers});
}

const std::vector<std::uint32_t>& DeviceCounter::begin() {
  made_.lists.resize(dimensions_.length);
  made_.groups.resize(dimensions_.length);
  for (std::uint32_t i = 0; i < dimensions_.length; ++i) made_.groups[i] = {i, i, 1, i, i + 1};
  made_.products.clear();
  made_.kept = dimensions_.length;
  own_rows_.assign(dimensions_.length, 0);
  rows_used_ = dimensions_.length;
  rows_taken_ = 0;
  merges_ = 0;
  has_large_ = false;
  is_shared_ = false;
  devices_.forget_counts();
  const auto& own = *devices_.first().pairs;
  const auto group = std::min(ones_group, count_ones_.max_group_size());
  queue_.launch(count_ones_, Range::of_groups(dimensions_.length, group),
                {.rows = own.rows(), .ones = own.ones(), .row_words = dimensions_.row_words});
  devices_.first().pairs->begin();
  devices_.first().has_begun = true;
  queue_.read(own.ones(), std::span(host_ones_));
  require_counts(host_ones_);
  return host_ones_;
}

void DeviceCounter::require_counts(std::span<const std::uint32_t> counts) const {
  if (std::any_of(counts.begin(), counts.end(), [&](std::uint32_t count) { return count > dimensions_.individuals; }))
    report_fault(devices_.first().pairs->device(), "counts more individuals than there are");
}

// What a device lists is looked up, and its groups are merged: they must be there and fit together.
bool DeviceCounter::are_sound(std::uint64_t most, std::size_t count, std::span<const Edge> edges) const {
  const auto is_sound = [&](const Edge& edge) {
    return edge.first < made_.groups.size() && edge.second < made_.groups.size() && edge.first != edge.second &&
           made_.groups[edge.first].size + made_.groups[edge.second].size <= dimensions_.most_loci && edge.gain > 0;
  };
  return count <= most && std::all_of(edges.begin(), edges.end(), is_sound);
}

std::vector<std::int64_t> DeviceCounter::entropies() const {
  const auto& table = logarithms_.table;
  std::vector<std::int64_t> entropies;
  for (const auto count : host_ones_)
    entropies.push_back(table[dimensions_.individuals] - table[count] - table[dimensions_.individuals - count]);
  return entropies;
}

// A locus cannot gain more than its entropy, and pays one unit at least.
std::vector<std::uint32_t> DeviceCounter::active_loci() const {
  std::vector<std::uint32_t> loci;
  if (dimensions_.most_loci < 2) return loci;
  const auto entropies = this->entropies();
  for (std::uint32_t i = 0; i < dimensions_.length; ++i)
    if (entropies[i] > logarithms_.unit) loci.push_back(i);
  return loci;
}

Pairs DeviceCounter::pairs(std::uint32_t fresh, std::uint32_t fresh_count, std::size_t partners,
                           std::size_t partner_count) const {
  return {fresh,
          fresh_count,
          static_cast<std::uint32_t>(partners),
          static_cast<std::uint32_t>(partner_count),
          dimensions_.individuals,
          dimensions_.row_words,
          dimensions_.most_rows,
          dimensions_.most_loci,
          0,
          dimensions_.most_row_loci,
          logarithms_.table[dimensions_.individuals],
          logarithms_.unit};
}

// Groups without rows are counted so slowly that it always pays to share them.
double DeviceCounter::row_pairs(double first, double second) const {
  return has_rows() ? first * second : std::numeric_limits<double>::infinity();
}

// A device that has not been asked for a while makes up for what it missed.
void DeviceCounter::prepare(CountingDevices::Counter& counter) {
  auto& pairs = *counter.pairs;
  if (!counter.has_begun) {
    pairs.queue().write_later(pairs.ones(), host_ones_);
    pairs.begin();
    counter.has_begun = true;
  }
  pairs.take(made_);
}

namespace {

Pairs with_room(Pairs which, const Buffer<Edge>& edges) {
  which.most_edges = static_cast<std::uint32_t>(edges.size() - 1);
  return which;
}

Pairs of_band(Pairs which, Band band) {
  which.fresh += band.begin;
  which.fresh_count = band.end - band.begin;
  return which;
}

}  // namespace

void DeviceCounter::count_loci(std::span<const std::uint32_t> loci, std::vector<Edge>& edges) {
  count_loci(loci, edges, ranks_share_searches());
}

void DeviceCounter::count_loci_only(std::span<const std::uint32_t> loci, std::vector<Edge>& edges) {
  count_loci(loci, edges, true);
}

bool DeviceCounter::ranks_share_searches() const {
  return !has_rows() || devices_.shares_as_asked() || devices_.ranks() >= fewest_ranks_of_searches;
}

void DeviceCounter::count_loci(std::span<const std::uint32_t> loci, std::vector<Edge>& edges, bool among_ranks) {
  made_.lists.resize(made_.kept);
  made_.lists.insert(made_.lists.end(), loci.begin(), loci.end());
  const auto count = static_cast<std::uint32_t>(has_rows() ? loci.size() : dimensions_.length);
  const auto bands = devices_.cut({count}, fewest_loci, row_pairs(count, count) / 2, among_ranks);
  is_shared_ = bands.are_shared();
  const auto which = pairs(0, count, made_.kept, loci.size());
  const auto list = static_cast<std::uint32_t>(made_.kept);
  CountingDevices::BandTask task;
  task.prepare = [this](CountingDevices::Counter& counter) { prepare(counter); };
  task.count = [&](CountingDevices::Counter& counter, Band band) {
    if (!has_rows()) return;
    auto& own = *counter.pairs;
    own.count(own.tiles(list + band.begin, band.end - band.begin, list, band.end), loci[band.begin],
              loci[band.end - 1] + 1);
  };
  task.find = [&](CountingDevices::Counter& counter, Band band, const Buffer<Edge>& list_of_edges) {
    counter.pairs->clear(list_of_edges);
    const auto own = with_room(of_band(which, band), list_of_edges);
    if (has_rows())
      counter.pairs->find_locus_gains(own, list_of_edges);
    else
      counter.pairs->find_gains(own, has_large_, list_of_edges);
  };
  task.are_sound = [this](std::size_t count, std::span<const Edge> found) {
    return are_sound(std::uint64_t{dimensions_.length} * dimensions_.length, count, found);
  };
  const Stopwatch stopwatch;
  devices_.share(bands, task, !has_rows(), has_rows(), edges);
  if (first_pass_seconds_ == 0) first_pass_seconds_ = stopwatch.seconds();
}

std::uint32_t DeviceCounter::new_rows(std::uint32_t one, std::uint32_t other) const {
  if (one + other > dimensions_.most_row_loci) return 0;
  return ((1U << one) - 1) * ((1U << other) - 1);
}

// A union's rows are its parts', and one for each subset with loci of both.
void DeviceCounter::add_group(const Union& parts) {
  const auto a = made_.groups[parts.first];
  const auto b = made_.groups[parts.second];
  Group group{0, static_cast<std::uint32_t>(made_.lists.size()), a.size + b.size, 0, 0};
  for (const auto& part : {a, b})
    for (std::uint32_t s = 0; s < part.size; ++s) made_.lists.push_back(made_.lists[part.loci + s]);
  group.rows = static_cast<std::uint32_t>(made_.lists.size());
  const auto fresh = new_rows(a.size, b.size);
  if (fresh > 0) {
    for (std::uint32_t m = 1; m < 1U << group.size; ++m) {
      const auto in_a = m & ((1U << a.size) - 1);
      const auto in_b = m >> a.size;
      if (in_a == 0 || in_b == 0) {
        made_.lists.push_back(made_.lists[in_b == 0 ? a.rows + in_a - 1 : b.rows + in_b - 1]);
      } else {
        made_.lists.push_back(rows_used_++);
        made_.products.push_back({group.loci, m});
      }
    }
  }
  if (group.size > dimensions_.most_row_loci) has_large_ = true;
  own_rows_.push_back(fresh);
  made_.groups.push_back(group);
}

// A union's loci are those of its parts one after the other: where larger groups are placed first, every group is an
// interval.
void DeviceCounter::place_groups(std::span<const std::uint32_t> groups) {
  constexpr std::uint32_t unplaced = ~std::uint32_t{0};
  std::fill(position_.begin(), position_.end(), unplaced);
  std::uint32_t next = 0;
  for (std::uint32_t size = dimensions_.most_loci; size > 0; --size)
    for (const auto index : groups) {
      auto& group = made_.groups[index];
      if (group.size != size) continue;
      const auto* loci = &made_.lists[group.loci];
      if (position_[loci[0]] == unplaced)
        for (std::uint32_t s = 0; s < size; ++s) position_[loci[s]] = next++;
      group.begin = position_[loci[0]];
      group.end = group.begin + size;
    }
}

void DeviceCounter::mark_rows(std::span<const std::uint32_t> groups) {
  is_used_.assign(rows_used_, 0);
  for (const auto index : groups) {
    const auto& group = made_.groups[index];
    if (group.size > dimensions_.most_row_loci) continue;
    for (std::uint32_t m = 0; m < (1U << group.size) - 1; ++m) is_used_[made_.lists[group.rows + m]] = 1;
  }
}

void DeviceCounter::list_marked_rows(std::uint32_t first_row) {
  for (auto row = first_row; row < rows_used_; ++row)
    if (is_used_[row]) made_.lists.push_back(row);
}

// A single device keeps earlier counts: only new rows are counted, against all rows of groups that still count.
CountingDevices::BandTask DeviceCounter::task_of_new_rows(const Pairs& which, std::uint32_t first_new) {
  const auto first = static_cast<std::uint32_t>(made_.lists.size());
  for (auto row = first_new; row < rows_used_; ++row) made_.lists.push_back(row);
  const auto second = static_cast<std::uint32_t>(made_.lists.size());
  mark_rows(std::span(made_.lists).subspan(which.partners, which.partner_count));
  list_marked_rows(0);
  const auto count = static_cast<std::uint32_t>(made_.lists.size()) - second;
  CountingDevices::BandTask task;
  task.prepare = [this, which, first_new, first, second, count](CountingDevices::Counter& counter) {
    prepare(counter);
    auto& own = *counter.pairs;
    if (rows_used_ > first_new) own.count(own.tiles(first, second - first, second, count), first_new, rows_used_);
    own.sum_fresh(which, has_large_);
  };
  task.count = [](CountingDevices::Counter&, Band) {};
  return task;
}

// Several devices do not have each other's counts: each counts all rows of its new groups against all that are earlier.
CountingDevices::BandTask DeviceCounter::task_of_bands(const Pairs& which, std::span<const Band> bands) {
  /// The rows of a band's new groups, and those of all groups that it is paired with, in the lists.
  struct Rows {
    std::uint32_t begin;
    std::uint32_t first;
    std::uint32_t second;
    std::uint32_t end;
  };
  std::vector<Rows> rows;
  const auto earlier = which.partner_count - which.fresh_count;
  const auto here = [&] { return static_cast<std::uint32_t>(made_.lists.size()); };
  const auto list_rows = [&](std::uint32_t begin, std::uint32_t end) {
    const std::vector<std::uint32_t> groups(made_.lists.begin() + which.partners + begin,
                                            made_.lists.begin() + which.partners + end);
    mark_rows(groups);
    list_marked_rows(0);
  };
  for (const auto& band : bands) {
    const auto first = here();
    list_rows(earlier + band.begin, earlier + band.end);
    const auto second = here();
    list_rows(0, earlier + band.end);
    rows.push_back({band.begin, first, second, here()});
  }
  CountingDevices::BandTask task;
  task.prepare = [this, which](CountingDevices::Counter& counter) {
    prepare(counter);
    counter.pairs->sum_missing(made_, which, has_large_);
  };
  task.count = [rows = std::move(rows)](CountingDevices::Counter& counter, Band band) {
    const auto own = std::find_if(rows.begin(), rows.end(), [&](const Rows& each) { return each.begin == band.begin; });
    if (own->first == own->second) return;
    auto& pairs = *counter.pairs;
    // A row is before or after another.
    pairs.count(pairs.tiles(own->first, own->second - own->first, own->second, own->end - own->second), 0, 0);
    pairs.count(pairs.tiles(own->second, own->end - own->second, own->first, own->second - own->first), 0, 0);
  };
  return task;
}

void DeviceCounter::count_unions(std::span<const Union> unions, std::span<const std::uint32_t> partners,
                                 std::vector<Edge>& edges) {
  const auto fresh = static_cast<std::uint32_t>(made_.groups.size());
  const auto fresh_count = static_cast<std::uint32_t>(unions.size());
  const auto first_new = rows_used_;
  made_.lists.resize(made_.kept);
  for (const auto& parts : unions) add_group(parts);
  made_.kept = made_.lists.size();
  made_.lists.insert(made_.lists.end(), partners.begin(), partners.end());
  for (std::uint32_t i = 0; i < fresh_count; ++i) made_.lists.push_back(fresh + i);
  const auto which = pairs(fresh, fresh_count, made_.kept, partners.size() + fresh_count);
  place_groups(
      std::vector<std::uint32_t>(made_.lists.begin() + static_cast<std::ptrdiff_t>(made_.kept), made_.lists.end()));
  // A union has four rows or more.
  const auto bands = devices_.cut({fresh_count, partners.size()}, fewest_unions,
                                  row_pairs(4.0 * fresh_count, 4.0 * static_cast<double>(which.partner_count)),
                                  ranks_share_searches());
  is_shared_ |= bands.are_shared();
  auto task = is_shared_ ? task_of_bands(which, bands.own) : task_of_new_rows(which, first_new);
  task.find = [&](CountingDevices::Counter& counter, Band band, const Buffer<Edge>& list_of_edges) {
    counter.pairs->clear(list_of_edges);
    counter.pairs->find_gains(with_room(of_band(which, band), list_of_edges), has_large_, list_of_edges);
  };
  task.are_sound = [this, most = std::uint64_t{which.fresh_count} * which.partner_count](
                       std::size_t count, std::span<const Edge> found) { return are_sound(most, count, found); };
  devices_.share(bands, task, has_large_ || !has_rows(), has_rows(), edges);
}

// Merges that come for certain need a row for each subset at most; the rest is for guesses.
std::size_t DeviceCounter::affordable(std::span<const Union> unions) const {
  const auto left = dimensions_.length - merges_;
  std::size_t groups = dimensions_.most_groups() - made_.groups.size();
  std::uint64_t rows = dimensions_.most_rows - rows_used_;
  const std::uint64_t reserved = dimensions_.needed_rows() - std::min(rows_taken_, dimensions_.needed_rows());
  std::vector<std::uint32_t> sizes;
  std::size_t count = 0;
  for (const auto& parts : unions) {
    const auto size_of = [&](std::uint32_t group) {
      return group < made_.groups.size() ? made_.groups[group].size : sizes[group - made_.groups.size()];
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
