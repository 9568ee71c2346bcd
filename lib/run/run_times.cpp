#include <clopt/detail/run_times.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

namespace clopt {
namespace {

// Of a thread.
struct ThreadTimes {
  using Clock = std::chrono::steady_clock;

  std::array<double, 4> spent{};
  std::array<int, 4> under_way{};
  Clock::time_point since = Clock::now();

  std::size_t current() const {
    auto part = under_way.size() - 1;
    while (part > 0 && under_way[part] == 0) --part;
    return part;
  }
  void count() {
    const auto now = Clock::now();
    spent[current()] += std::chrono::duration<double>(now - std::exchange(since, now)).count();
  }
};

constexpr std::size_t place_of(TimePart part) { return static_cast<std::size_t>(part); }

thread_local ThreadTimes times;

void move_between(std::size_t from, std::size_t to, double seconds) {
  times.spent[from] -= seconds;
  times.spent[to] += seconds;
}

}  // namespace

TimedPart::TimedPart(TimePart part) : part_(part) {
  times.count();
  ++times.under_way[place_of(part_)];
}

void TimedPart::end() {
  if (std::exchange(has_ended_, true)) return;
  times.count();
  --times.under_way[place_of(part_)];
}

RunTimes::RunTimes() {
  times.count();
  begin_ = times.spent;
}

RunSeconds RunTimes::seconds() const {
  times.count();
  // What was moved may have been begun before.
  const auto spent = [&](TimePart part) { return std::max(0.0, times.spent[place_of(part)] - begin_[place_of(part)]); };
  RunSeconds seconds{.open = spent(TimePart::open),
                     .build = spent(TimePart::build),
                     .compute = spent(TimePart::compute),
                     .other = spent(TimePart::other)};
  seconds.add_up();
  return seconds;
}

void RunTimes::recount(TimePart part, double seconds) {
  times.count();
  if (times.current() < place_of(part)) move_between(times.current(), place_of(part), seconds);
}

void RunTimes::move(TimePart from, TimePart to, double seconds) {
  times.count();
  move_between(place_of(from), place_of(to), seconds);
}

}  // namespace clopt
