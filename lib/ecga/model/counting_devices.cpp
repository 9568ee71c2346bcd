#include "counting_devices.hpp"

#include <clopt/error.hpp>
#include <device/verification/fault_detection.hpp>
#include <support/stopwatch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <future>
#include <utility>

#include "matrix_units.hpp"

namespace clopt::ecga {
namespace {

// Bands for each device, so that one that is quicker takes more.
constexpr std::uint32_t bands_of_a_device = 4;
// Bits of pairs of rows from which a pass is shared: what a device counts in the time in which another one gets
// its part, some milliseconds. Processors count fewer, and get their parts within the memory that they share.
constexpr double fewest_bits = 5e12;
constexpr double fewest_bits_of_processors = 1e9;
// The same for ranks that count by processors: they have the population already, but what they find goes from process
// to process.
constexpr double fewest_bits_of_ranks = 3e9;
// Words of rows that are on their way from device to device.
constexpr std::size_t staged_words = std::size_t{1} << 22;
constexpr std::size_t spare_edges = 64;

}  // namespace

/// Bands that are left, and what was found in the others.
struct CountingDevices::SharedBands {
  const BandTask& task;
  std::vector<Edge>& edges;
  std::deque<Band> bands;
  std::size_t count = 0;
  std::mutex mutex;

  std::optional<Band> take() {
    const std::lock_guard lock(mutex);
    if (bands.empty()) return std::nullopt;
    const auto band = bands.front();
    bands.pop_front();
    return band;
  }

  void give_back(const std::optional<Band>& band) {
    if (!band) return;
    const std::lock_guard lock(mutex);
    bands.push_back(*band);
  }

  // The list's first entry only says how many follow.
  void add(std::vector<Edge>& found, std::size_t found_count) {
    const std::lock_guard lock(mutex);
    count += found_count;
    if (edges.empty()) {
      edges.swap(found);
      edges.front() = edges.back();
      edges.pop_back();
    } else {
      edges.insert(edges.end(), found.begin() + 1, found.end());
    }
  }
};

CountingDevices::CountingDevices(Device& device, Queue& queue, const Dimensions& dimensions, Counting counting,
                                 const Logarithms& logarithms)
    : dimensions_(dimensions), counting_(counting), logarithms_(logarithms) {
  auto& counter = counters_.emplace_back();
  counter.pairs = std::make_unique<PairDevice>(device, queue, dimensions, counting, logarithms);
  counter.trees = std::make_unique<TreeDevice>(*counter.pairs, dimensions);
  counter.lists[0] = device.buffer<Edge>("edges", static_cast<std::size_t>(dimensions.most_edges() + 1));
  make_reader(counter);
}

void CountingDevices::make_reader(Counter& counter) {
  auto& device = counter.pairs->device();
  if (!counter.reader && !device.info().launches_are_calls) counter.reader = device.queue();
}

void CountingDevices::add(std::span<const std::shared_ptr<Device>> devices, std::optional<double> least_shared) {
  least_shared_ = least_shared;
  counters_.reserve(1 + devices.size());
  const auto make_lists = [&](Counter& counter) {
    for (auto& list : counter.lists)
      if (!list)
        list = counter.pairs->device().buffer<Edge>("edges", static_cast<std::size_t>(dimensions_.most_edges() + 1));
    make_reader(counter);
  };
  for (const auto& device : devices) try {
      if (!has_room(dimensions_, *device))
        throw DeviceError(fmt::format("it has no room for {} bytes", dimensions_.bytes()));
      const bool has_units = counting_ == Counting::matrix && has_matrix_units(*device);
      const auto counting = counting_ == Counting::matrix && !has_units ? Counting::popcount : counting_;
      Counter counter;
      counter.device = device;
      counter.queue = device->queue();
      counter.pairs = std::make_unique<PairDevice>(*device, *counter.queue, dimensions_, counting, logarithms_);
      counter.trees = std::make_unique<TreeDevice>(*counter.pairs, dimensions_);
      make_lists(counter);
      if (!counter.pairs->is_able() || (first().trees->is_able() && !counter.trees->is_able()))
        throw DeviceError("its work-groups are too small");
      counters_.push_back(std::move(counter));
    } catch (const DeviceError& error) {
      note_failure(*device, error.what());
    }
  if (counters_.size() > 1) make_lists(first());
}

void CountingDevices::call_between_launches(std::function<void()> of_first, const std::function<void()>& of_others) {
  first().pairs->call_between_launches(std::move(of_first));
  for (auto& counter : std::span(counters_).subspan(1)) counter.pairs->call_between_launches(of_others);
}

bool CountingDevices::is_alone() const {
  return std::all_of(counters_.begin() + 1, counters_.end(), [](const Counter& counter) { return counter.failed; });
}

void CountingDevices::forget_rows() {
  discard_begun();
  for (auto& counter : counters_) counter.has_rows = counter.has_counted = false;
  forget_counts();
}

void CountingDevices::forget_counts() {
  for (auto& counter : counters_) counter.has_begun = false;
}

std::uint32_t CountingDevices::able_devices() const {
  return static_cast<std::uint32_t>(
      std::count_if(counters_.begin(), counters_.end(), [](const Counter& counter) { return !counter.failed; }));
}

bool CountingDevices::are_processors() const {
  return std::all_of(counters_.begin(), counters_.end(), [](const Counter& counter) {
    return counter.failed || counter.pairs->device().info().kind == DeviceKind::cpu;
  });
}

void CountingDevices::share_with(Peers& peers) {
  // All have to share the same passes.
  const bool are_all_processors = peers.least(are_processors() ? 1 : 0) == 1;
  least_among_ranks_ = least_shared_.value_or(are_all_processors ? fewest_bits_of_ranks : fewest_bits);
  parts_.emplace(peers, able_devices());
}

double CountingDevices::bits_of(double row_pairs) const { return 32.0 * first().pairs->counted_words() * row_pairs; }

bool CountingDevices::may_count_ahead(double row_pairs) const {
  // A run that ends meanwhile waits for it.
  return bits_of(row_pairs) <= first().pairs->bits_of_short_count();
}

Bands CountingDevices::cut(const Table& table, std::uint32_t fewest, double row_pairs, bool among_ranks) const {
  Bands bands;
  Band part{0, table.count};
  if (among_ranks && parts_ && parts_->suffices(table.count, fewest) &&
      32.0 * dimensions_.counted_words * row_pairs >= least_among_ranks_) {
    part = parts_->own(table, fewest);
    bands.twice_pairs = table.twice_pairs_of(part);
    row_pairs *= static_cast<double>(*bands.twice_pairs) / static_cast<double>(table.twice_pairs());
  }
  bands.own = cut_for_devices(table, part, fewest, row_pairs);
  return bands;
}

std::vector<Band> CountingDevices::cut_for_devices(const Table& table, Band part, std::uint32_t fewest,
                                                   double row_pairs) const {
  const double least = least_shared_.value_or(are_processors() ? fewest_bits_of_processors : fewest_bits);
  const auto devices = able_devices();
  if (devices == 1 || bits_of(row_pairs) < least) return {part};
  const auto parts = std::clamp((part.end - part.begin) / fewest, 1U, bands_of_a_device * devices);
  const auto before = table.twice_pairs_before(part.begin);
  const auto all = table.twice_pairs_of(part);
  std::vector<Band> bands;
  auto begin = part.begin;
  for (std::uint32_t k = 1; k <= parts; ++k) {
    const auto end = k == parts ? part.end : table.find(before + all / parts * k, begin, part.end);
    if (end <= begin) continue;
    bands.push_back({begin, end});
    begin = end;
  }
  return bands;
}

void CountingDevices::note_failure(const Device& device, const std::string& what) {
  failures_.push_back(fmt::format("{}: {}", device.info().id, what));
}

void CountingDevices::leave_out(Counter& counter) {
  counter.failed = true;
  // Its work ends before that of the others continues.
  try {
    counter.queue->finish();
    if (counter.reader) counter.reader->finish();
  } catch (const Error&) {
    // A failed device gets no further calls.
  }
}

template <class Work>
void CountingDevices::try_with(Counter& counter, const Work& work) {
  if (counter.failed) return;
  try {
    work();
  } catch (const DeviceError& error) {
    leave_out(counter);
    note_failure(*counter.device, error.what());
  }
}

// While a part is written to the others, the next one is read.
template <class Target>
void CountingDevices::broadcast(const Buffer<std::uint32_t>& from, std::size_t words, const Target& target) {
  auto& queue = first().pairs->queue();
  for (auto& staging : staging_)
    if (staging.size() < std::min(words, staged_words))
      staging = first().pairs->device().buffer<std::uint32_t>("rows for others", std::min(words, staged_words),
                                                              MemoryKind::host_visible);
  const auto helpers = std::span(counters_).subspan(1);
  std::size_t side = 0;
  for (std::size_t begin = 0; begin < words; begin += staged_words, side ^= 1) {
    const auto part = HostArray(staging_[side]).part(0, words - begin);
    for (auto& counter : helpers) try_with(counter, [&] { counter.read[side].wait(); });
    queue.read(from, part, begin);
    for (auto& counter : helpers)
      try_with(counter, [&] {
        counter.read[side] = counter.queue->write_later(target(counter), part, begin);
        counter.queue->flush();
      });
  }
  for (auto& counter : helpers)
    try_with(counter, [&] {
      for (const auto& event : counter.read) event.wait();
    });
}

void CountingDevices::load_helpers(bool with_rows, bool with_counted) {
  auto& own = *first().pairs;
  if (with_rows && !first().has_rows)
    broadcast(own.rows(), std::size_t{dimensions_.length} * dimensions_.row_words,
              [](Counter& counter) { return counter.pairs->rows(); });
  if (with_counted && !first().has_counted) {
    for (auto& counter : counters_) counter.pairs->set_counted_words(own.counted_words());
    broadcast(own.totals(), own.totals().size(), [](Counter& counter) { return counter.pairs->totals(); });
    broadcast(own.counted(), std::size_t{dimensions_.length} * own.counted_words(),
              [](Counter& counter) { return counter.pairs->counted(); });
  }
  first().has_rows |= with_rows;
  first().has_counted |= with_counted;
}

void CountingDevices::start(Counter& counter, const BandTask& task, std::size_t side, Band band) {
  const auto& list = counter.lists[side];
  task.count(counter, band);
  task.find(counter, band, list);
  auto& room = counter.room[side];
  room.resize(std::min(counter.expected[task.most_listed ? 0 : 1] + 1, list.size()));
  counter.found[side] = HostArray(std::move(room));
  counter.read[side] = counter.read_beside(list, counter.found[side]);
  if (task.keep_busy && &counter == &counters_.front()) task.keep_busy();
}

void CountingDevices::finish(Counter& counter, SharedBands& shared, std::size_t side, Band band) {
  auto& list = counter.lists[side];
  auto& queue = counter.pairs->queue();
  counter.read[side].wait();
  auto found = counter.found[side].take();
  const std::size_t count = found.front().first;
  // Before memory for them is allocated.
  if (!shared.task.are_sound(count, {}))
    report_fault(counter.pairs->device(), "lists more pairs of groups than there are");
  const auto most_listed = shared.task.most_listed;
  if (!most_listed && count >= list.size()) {
    list = counter.pairs->device().buffer<Edge>("edges", count + count / 4 + 1);
    shared.task.find(counter, band, list);
    found.resize(count + 1);
    HostArray again(std::move(found));
    queue.read(list, again);
    found = again.take();
    if (found.front().first != count)
      report_fault(counter.pairs->device(), "lists other pairs of groups the second time");
  }
  // Behind them is what earlier lists left.
  const auto listed = std::min({count, list.size() - 1, most_listed.value_or(count)});
  counter.expected[most_listed ? 0 : 1] = listed + listed / 4 + spare_edges;
  const auto have = found.size();
  found.resize(listed + 1);
  if (have < found.size()) {
    HostArray more(std::move(found));
    (counter.reader ? *counter.reader : queue).read(list, more.part(have), have);
    found = more.take();
  }
  if (!shared.task.are_sound(count, std::span<const Edge>(found).subspan(1)))
    report_fault(counter.pairs->device(), "lists pairs of groups that there are not");
  shared.add(found, count);
  counter.room[side] = std::move(found);
}

void CountingDevices::work(Counter& counter, SharedBands& shared, std::optional<Band> first_band, bool was_begun) {
  const std::size_t sides = counter.lists[1] ? 2 : 1;
  std::array<std::optional<Band>, 2> taken;
  try {
    bool is_prepared = was_begun;
    for (std::size_t side = 0;; side = (side + 1) % sides) {
      if (taken[side]) finish(counter, shared, side, *taken[side]);
      taken[side] = first_band ? std::exchange(first_band, std::nullopt) : shared.take();
      if (!taken[side]) break;
      if (!is_prepared) shared.task.prepare(counter);
      is_prepared = true;
      if (!std::exchange(was_begun, false)) start(counter, shared.task, side, *taken[side]);
    }
    for (std::size_t side = 0; side < sides; ++side) {
      if (taken[side]) finish(counter, shared, side, *taken[side]);
      taken[side].reset();
    }
  } catch (const DeviceError&) {
    for (const auto& band : taken) shared.give_back(band);
    throw;
  }
}

void CountingDevices::begin(Band band, const BandTask& task) {
  discard_begun();
  task.prepare(first());
  start(first(), task, 0, band);
  begun_ = &task;
}

// What it writes to is needed again.
void CountingDevices::discard_begun() {
  if (!std::exchange(begun_, nullptr)) return;
  first().pairs->queue().finish();
  if (first().reader) first().reader->finish();
}

std::size_t CountingDevices::share(const Bands& bands, const BandTask& task, bool with_rows, bool with_counted,
                                   std::vector<Edge>& edges) {
  const Stopwatch stopwatch;
  const auto count = share_among_devices(bands.own, task, with_rows, with_counted, edges);
  return bands.twice_pairs ? parts_->join(*bands.twice_pairs, stopwatch.seconds(), count, edges) : count;
}

std::size_t CountingDevices::share_among_devices(std::span<const Band> bands, const BandTask& task, bool with_rows,
                                                 bool with_counted, std::vector<Edge>& edges) {
  edges.clear();
  const bool was_begun = is_begun(task);
  if (was_begun)
    begun_ = nullptr;
  else
    discard_begun();
  SharedBands shared{task, edges, {bands.begin(), bands.end()}, 0, {}};
  if (bands.size() == 1) {
    work(first(), shared, shared.take(), was_begun);
    return shared.count;
  }
  load_helpers(with_rows, with_counted);
  while (!shared.bands.empty()) {
    // Each has one band for sure: so the first device knows what all know.
    const auto own = shared.take();
    std::vector<std::pair<Counter*, std::future<void>>> helpers;
    for (auto& counter : std::span(counters_).subspan(1))
      if (!counter.failed)
        helpers.emplace_back(&counter, std::async(std::launch::async, [&counter, &shared, this, band = shared.take()] {
          if (band) work(counter, shared, band);
        }));
    std::exception_ptr error;
    try {
      work(first(), shared, own);
    } catch (const Error&) {
      error = std::current_exception();
    }
    for (auto& [counter, done] : helpers) try_with(*counter, [&done = done] { done.get(); });
    if (error) std::rethrow_exception(error);
  }
  return shared.count;
}

}  // namespace clopt::ecga
