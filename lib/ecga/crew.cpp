#include "crew.hpp"

#include <clopt/error.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <exception>
#include <future>
#include <utility>

#include "matrix_units.hpp"

namespace clopt::ecga {
namespace {

// Bands for each device, so that one that is quicker takes more.
constexpr std::uint32_t bands_of_a_device = 4;
// Bits of pairs of rows from which a pass is shared: what a device counts in the time in which another one is told of
// its part, some milliseconds. Processors count fewer, and are told within the memory that they share.
constexpr double fewest_bits = 5e12;
constexpr double fewest_bits_of_processors = 1e9;
// Words of rows that are on their way from device to device.
constexpr std::size_t staged_words = std::size_t{1} << 22;
constexpr std::size_t spare_edges = 64;

}  // namespace

/// Bands that are left, and what was found in the others.
struct Crew::Turn {
  const Job& job;
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

Crew::Crew(Device& device, Queue& queue, const Shape& shape, Counting counting, const Logarithms& logarithms)
    : shape_(shape), counting_(counting), logarithms_(logarithms) {
  auto& member = members_.emplace_back();
  member.pairs = std::make_unique<PairDevice>(device, queue, shape, counting, logarithms);
  member.trees = std::make_unique<TreeDevice>(*member.pairs, shape);
  member.lists[0] = device.buffer<Edge>("edges", static_cast<std::size_t>(shape.most_edges() + 1));
  make_reader(member);
}

void Crew::make_reader(Member& member) {
  auto& device = member.pairs->device();
  if (!member.reader && !device.info().launches_are_calls) member.reader = device.queue();
}

void Crew::enlist(std::span<const std::shared_ptr<Device>> devices, std::optional<double> least_shared) {
  least_shared_ = least_shared;
  members_.reserve(1 + devices.size());
  const auto make_lists = [&](Member& member) {
    for (auto& list : member.lists)
      if (!list) list = member.pairs->device().buffer<Edge>("edges", static_cast<std::size_t>(shape_.most_edges() + 1));
    make_reader(member);
  };
  for (const auto& device : devices) try {
      const bool has_units = counting_ == Counting::matrix && has_matrix_units(*device);
      const auto counting = counting_ == Counting::matrix && !has_units ? Counting::popcount : counting_;
      Member member;
      member.device = device;
      member.queue = device->queue();
      member.pairs = std::make_unique<PairDevice>(*device, *member.queue, shape_, counting, logarithms_);
      member.trees = std::make_unique<TreeDevice>(*member.pairs, shape_);
      make_lists(member);
      if (!member.pairs->is_able() || (first().trees->is_able() && !member.trees->is_able()))
        throw DeviceError("its work-groups are too small");
      members_.push_back(std::move(member));
    } catch (const DeviceError& error) {
      lose(error);
    }
  if (members_.size() > 1) make_lists(first());
}

bool Crew::is_alone() const {
  return std::all_of(members_.begin() + 1, members_.end(), [](const Member& member) { return member.failed; });
}

void Crew::forget_rows() {
  for (auto& member : members_) member.has_rows = member.has_counted = false;
  forget_counts();
}

void Crew::forget_counts() {
  for (auto& member : members_) member.has_begun = false;
}

double Crew::build_seconds() const {
  double seconds = 0;
  for (const auto& member : members_) seconds += member.pairs->build_seconds() + member.trees->build_seconds();
  return seconds;
}

// The pairs of the first i are others i + i^2 / 2.
std::vector<Band> Crew::cut(std::uint32_t count, std::uint64_t others, std::uint32_t fewest, double row_pairs) const {
  const auto devices = static_cast<std::uint32_t>(
      std::count_if(members_.begin(), members_.end(), [](const Member& member) { return !member.failed; }));
  const bool by_processors = std::all_of(members_.begin(), members_.end(), [](const Member& member) {
    return member.failed || member.pairs->device().info().kind == DeviceKind::cpu;
  });
  const double bits = 32.0 * first().pairs->counted_words() * row_pairs;
  const double least = least_shared_.value_or(by_processors ? fewest_bits_of_processors : fewest_bits);
  if (devices == 1 || bits < least) return {{0, count}};
  const auto parts = std::clamp(count / fewest, 1U, bands_of_a_device * devices);
  const auto before = static_cast<double>(others);
  const auto all = before * count + 0.5 * count * count;
  std::vector<Band> bands;
  std::uint32_t begin = 0;
  for (std::uint32_t part = 1; part <= parts; ++part) {
    const auto end = part == parts
                         ? count
                         : static_cast<std::uint32_t>(std::sqrt(before * before + 2 * all * part / parts) - before);
    if (end <= begin) continue;
    bands.push_back({begin, end});
    begin = end;
  }
  return bands;
}

void Crew::lose(const DeviceError& error) {
  if (lost_++ == 0) reason_ = error.what();
}

void Crew::leave_out(Member& member) {
  member.failed = true;
  // What is still under way reads and writes memory of the host.
  try {
    member.queue->finish();
    if (member.reader) member.reader->finish();
  } catch (const Error&) {
    // A device that is lost is left alone.
  }
}

template <class Work>
void Crew::try_with(Member& member, const Work& work) {
  if (member.failed) return;
  try {
    work();
  } catch (const DeviceError& error) {
    leave_out(member);
    lose(error);
  }
}

// While a part is written to the others, the next one is read.
template <class Target>
void Crew::broadcast(const Buffer<std::uint32_t>& from, std::size_t words, const Target& target) {
  auto& queue = first().pairs->queue();
  for (auto& staging : staging_)
    if (staging.size() < std::min(words, staged_words))
      staging = first().pairs->device().buffer<std::uint32_t>("rows for others", std::min(words, staged_words),
                                                              MemoryKind::host_visible);
  const auto helpers = std::span(members_).subspan(1);
  std::size_t side = 0;
  for (std::size_t begin = 0; begin < words; begin += staged_words, side ^= 1) {
    const auto part = staging_[side].host().first(std::min(words - begin, staged_words));
    for (auto& member : helpers) try_with(member, [&] { member.read[side].wait(); });
    queue.read(from, part, begin);
    for (auto& member : helpers)
      try_with(member, [&] {
        member.read[side] = member.queue->write_later(target(member), part, begin);
        member.queue->flush();
      });
  }
  for (auto& member : helpers)
    try_with(member, [&] {
      for (const auto& event : member.read) event.wait();
    });
}

void Crew::load_helpers(bool with_rows, bool with_counted) {
  auto& own = *first().pairs;
  if (with_rows && !first().has_rows)
    broadcast(own.rows(), std::size_t{shape_.length} * shape_.row_words,
              [](Member& member) { return member.pairs->rows(); });
  if (with_counted && !first().has_counted) {
    for (auto& member : members_) member.pairs->set_counted_words(own.counted_words());
    broadcast(own.totals(), own.totals().size(), [](Member& member) { return member.pairs->totals(); });
    broadcast(own.counted(), std::size_t{shape_.length} * own.counted_words(),
              [](Member& member) { return member.pairs->counted(); });
  }
  first().has_rows |= with_rows;
  first().has_counted |= with_counted;
}

void Crew::start(Member& member, const Job& job, std::size_t side, Band band) {
  const auto& list = member.lists[side];
  job.count(member, band);
  job.find(member, band, list);
  auto& found = member.found[side];
  found.resize(std::min(member.expected[job.lists_grow ? 1 : 0] + 1, list.size()));
  member.read[side] = member.read_beside(list, std::span(found));
  if (job.behind && &member == &members_.front()) job.behind();
}

void Crew::finish(Member& member, Turn& turn, std::size_t side, Band band) {
  auto& list = member.lists[side];
  auto& found = member.found[side];
  auto& queue = member.pairs->queue();
  member.read[side].wait();
  const std::size_t count = found.front().first;
  member.expected[turn.job.lists_grow ? 1 : 0] = count + count / 4 + spare_edges;
  if (count < list.size()) {
    const auto have = found.size();
    found.resize(count + 1);
    if (have < found.size()) (member.reader ? *member.reader : queue).read(list, std::span(found).subspan(have), have);
  } else if (turn.job.lists_grow) {
    list = member.pairs->device().buffer<Edge>("edges", count + count / 4 + 1);
    turn.job.find(member, band, list);
    found.resize(count + 1);
    queue.read(list, std::span(found));
  }
  turn.add(found, count);
}

void Crew::work(Member& member, Turn& turn, std::optional<Band> first_band) {
  const std::size_t sides = member.lists[1] ? 2 : 1;
  std::array<std::optional<Band>, 2> taken;
  try {
    bool is_prepared = false;
    for (std::size_t side = 0;; side = (side + 1) % sides) {
      if (taken[side]) finish(member, turn, side, *taken[side]);
      taken[side] = first_band ? std::exchange(first_band, std::nullopt) : turn.take();
      if (!taken[side]) break;
      if (!is_prepared) turn.job.prepare(member);
      is_prepared = true;
      start(member, turn.job, side, *taken[side]);
    }
    for (std::size_t side = 0; side < sides; ++side) {
      if (taken[side]) finish(member, turn, side, *taken[side]);
      taken[side].reset();
    }
  } catch (const DeviceError&) {
    for (const auto& band : taken) turn.give_back(band);
    throw;
  }
}

std::size_t Crew::share(std::span<const Band> bands, const Job& job, bool with_rows, bool with_counted,
                        std::vector<Edge>& edges) {
  edges.clear();
  Turn turn{job, edges, {bands.begin(), bands.end()}, 0, {}};
  if (bands.size() == 1) {
    work(first(), turn, turn.take());
    return turn.count;
  }
  load_helpers(with_rows, with_counted);
  while (!turn.bands.empty()) {
    // Each has one band for sure: so the first device knows what all know.
    const auto own = turn.take();
    std::vector<std::pair<Member*, std::future<void>>> helpers;
    for (auto& member : std::span(members_).subspan(1))
      if (!member.failed)
        helpers.emplace_back(&member, std::async(std::launch::async, [&member, &turn, this, band = turn.take()] {
          if (band) work(member, turn, band);
        }));
    std::exception_ptr error;
    try {
      work(first(), turn, own);
    } catch (const Error&) {
      error = std::current_exception();
    }
    for (auto& [member, done] : helpers) try_with(*member, [&done = done] { done.get(); });
    if (error) std::rethrow_exception(error);
  }
  return turn.count;
}

}  // namespace clopt::ecga
