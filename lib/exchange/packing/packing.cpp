#include "packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <support/threads/thread_team.hpp>
#include "packing_state.hpp"

namespace clopt::exchange {
namespace {

/// Slots that are filled at once divide the transfers: one slot for this many steps that are left, fewer where other
/// partial schedules keep threads busy. The more transfers a slot has to choose from, the better it is filled.
constexpr double steps_a_share = 320;
/// Of a slot's links, those that the last transfers take, which do not fill a slot: they find room in the holes of all.
constexpr double last_part = 0.125;
/// Pairs of nodes of all partial schedules.
constexpr std::uint64_t most_pairs = std::uint64_t{16} << 20;

/// Moves for each link and slot of a partial schedule, at least.
constexpr std::uint64_t least_moves = 4;
/// As often, twice the moves are those of twice as many partial schedules; then every other time.
constexpr std::uint32_t doublings_of_width = 4;

class Packing {
 public:
  Packing(const Problem& problem, const Network& network, const PackingEffort& effort, ThreadTeam& team,
          const PackingStates& states)
      : network_(network), effort_(effort), team_(team), states_(states) {
    sides_.push_back({PartialSchedule(problem, network)});
    hops_ = sides_[0].schedule.hops_left();
    const auto& all = problem.transfers;
    for (std::size_t i = 0; i < all.size(); ++i) pairs_ += i == 0 || all[i] != all[i - 1] ? 1 : 0;
    pairs_ /= static_cast<double>(all.size());
    if (states.resume == nullptr) return;
    sides_ = read_sides(*states.resume, sides_[0].schedule, packed_at_once(network_, effort_.width), problem, network);
    is_wide_ = true;
  }

  Packed run(const Watch& watch) {
    if (!watch.expired() && !unfinished().empty() && !is_wide_) widen();
    while (!watch.expired()) {
      const auto numbers = unfinished();
      if (numbers.empty()) break;
      watch.report("packing", 1 - static_cast<double>(sides_[0].schedule.hops_left()) / static_cast<double>(hops_));
      if (watch.expired()) break;
      if (states_.save) states_.save([this] { return state_of(sides_); });
      if (update_prices(numbers)) keep_the_best();
      fill_slots(numbers, watch);
    }
    if (unfinished().empty()) return best_completed();
    if (states_.save && is_wide_ && state_.empty()) state_ = state_of(sides_);
    const auto& best = sides_[by_expectation().front()].schedule;
    return {
        {best.completed(),
         fmt::format("slots packed one after the other up to {} % of the links' uses, then first fit, as the run had "
                     "to end",
                     100 * (hops_ - best.hops_left()) / hops_)},
        false,
        std::move(state_)};
  }

 private:
  std::vector<std::size_t> unfinished() const {
    std::vector<std::size_t> numbers;
    const auto last = last_part * static_cast<double>(network_.links().size());
    for (std::size_t i = 0; i < sides_.size(); ++i)
      if (!sides_[i].is_stuck && static_cast<double>(sides_[i].schedule.hops_left()) > last) numbers.push_back(i);
    return numbers;
  }

  void widen() {
    sides_[0].schedule.update_prices();
    is_wide_ = true;
    const auto width = packed_at_once(network_, effort_.width);
    sides_.reserve(width);
    while (sides_.size() < width) sides_.push_back(sides_[0]);
  }

  // Of each of some candidates one slot, or several side by side; fewer where the run has to end.
  void fill_slots(const std::vector<std::size_t>& numbers, const Watch& watch) {
    struct SlotFill {
      std::size_t side;
      std::uint32_t part;
      std::vector<SlotPacker::Path> paths;
    };
    std::vector<SlotFill> parts;
    for (const auto i : numbers) {
      auto& schedule = sides_[i].schedule;
      // Transfers of a pair go to one share, and those of large demands leave the others few.
      const auto shares =
          schedule.prices().largest_load() * pairs_ / steps_a_share / static_cast<double>(numbers.size());
      const auto count =
          static_cast<std::uint32_t>(std::clamp(std::ceil(shares), 1.0, double{TransferPool::most_parts}));
      schedule.pool().share_out(count, effort_.seed, schedule.steps());
      for (std::uint32_t part = 0; part < count; ++part) parts.push_back({i, part, {}});
    }
    while (packers_.size() < team_.size()) packers_.push_back(std::make_unique<SlotPacker>(network_));
    team_.run(parts.size(), [&](std::size_t i, unsigned thread) {
      if (watch.expired()) return;
      auto& [number, part, paths] = parts[i];
      auto& schedule = sides_[number].schedule;
      const auto attempt = effort_.attempt | static_cast<std::uint32_t>(number) << 16;
      paths = packers_[thread]->fill(schedule.prices(), schedule.pool(), part,
                                     {effort_.seed, attempt, schedule.steps() + part}, effort_.moves);
    });
    // Slots that were left out would be filled by other transfers.
    if (watch.expired() && states_.save && state_.empty()) state_ = state_of(sides_);
    for (const auto i : numbers) sides_[i].is_stuck = !watch.expired();
    for (auto& [number, part, paths] : parts) {
      if (!paths.empty()) sides_[number].is_stuck = false;
      sides_[number].schedule.add_slot(std::move(paths));
    }
  }

  // \returns whether there were any to repeat.
  bool update_prices(const std::vector<std::size_t>& numbers) {
    std::vector<std::size_t> due;
    for (const auto i : numbers)
      if (sides_[i].schedule.steps() >= sides_[i].next_update) due.push_back(i);
    const auto update = [&](std::size_t i) {
      auto& side = sides_[due[i]];
      side.schedule.update_prices();
      side.next_update = side.schedule.steps() + slots_an_update;
    };
    if (due.size() < team_.size() && sides_[0].schedule.prices().are_made_by_threads())
      for (std::size_t i = 0; i < due.size(); ++i) update(i);
    else
      team_.run(due.size(), update);
    return !due.empty();
  }

  std::vector<std::size_t> by_expectation() const {
    std::vector<std::size_t> order(sides_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      return sides_[a].schedule.expected_steps() < sides_[b].schedule.expected_steps();
    });
    return order;
  }

  // The worse half becomes copies of the better one.
  void keep_the_best() {
    const auto order = by_expectation();
    const auto kept = (order.size() + 1) / 2;
    team_.run(order.size() - kept, [&](std::size_t i) { sides_[order[kept + i]] = sides_[order[i]]; });
  }

  // The first one of those with the fewest steps; a thread has one schedule in memory.
  Packed best_completed() {
    std::mutex mutex;
    std::optional<std::pair<Schedule, std::size_t>> best;
    team_.run(sides_.size(), [&](std::size_t i) {
      auto schedule = sides_[i].schedule.completed();
      const std::lock_guard lock(mutex);
      if (!best || std::pair(schedule.steps, i) < std::pair(best->first.steps, best->second))
        best.emplace(std::move(schedule), i);
    });
    std::string how = "slots packed one after the other";
    if (sides_.size() > 1) how += fmt::format(", {} partial schedules side by side", sides_.size());
    return {{std::move(best->first), std::move(how)}, true, {}};
  }

  const Network& network_;
  const PackingEffort& effort_;
  ThreadTeam& team_;
  const PackingStates& states_;
  std::vector<PackedSide> sides_;
  bool is_wide_ = false;                              ///< whether there are as many as are packed side by side
  Record state_;                                      ///< before the slots that the end of the run has left out
  std::vector<std::unique_ptr<SlotPacker>> packers_;  ///< one a thread
  std::uint64_t hops_ = 0;
  double pairs_ = 0;  ///< pairs of nodes that have transfers, over these
};

}  // namespace

std::uint32_t packed_at_once(const Network& network, std::uint32_t width) {
  const std::uint64_t pairs = std::uint64_t{network.nodes()} * network.nodes();
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most_pairs / pairs, 1, width));
}

PackingEffort packing_effort(const Network& network, std::uint64_t moves, std::uint64_t seed, std::uint32_t attempt) {
  const auto doubled = static_cast<std::uint32_t>(std::bit_width(std::max(moves / least_moves, std::uint64_t{1}))) - 1;
  const auto wider = std::min(doubled, doublings_of_width) + (doubled - std::min(doubled, doublings_of_width)) / 2;
  const auto width = packed_at_once(network, 1U << wider);
  const auto each = std::min<std::uint64_t>(moves / width * network.links().size(), 1U << 30);
  return {seed, attempt, static_cast<std::uint32_t>(each), width};
}

Packed pack(const Problem& problem, const Network& network, const PackingEffort& effort, ThreadTeam& team,
            const Watch& watch, const PackingStates& states) {
  return Packing(problem, network, effort, team, states).run(watch);
}

}  // namespace clopt::exchange
