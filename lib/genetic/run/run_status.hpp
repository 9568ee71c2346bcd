/// \file
/// Where a run stands, as the host knows it: what the device says of its islands, and what was the best before the
/// population was drawn again.
#pragma once

#include <device/verification/fault_detection.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <genetic/launch/engine.hpp>
#include <genetic/peers.hpp>
#include "island_state.hpp"

namespace clopt::genetic {

/// Element and Real as in operations.hpp.
template <class Element, class Real>
class RunStatus {
 public:
  RunStatus(Device& device, const Plan& plan, Engine<Element, Real>& engine)
      : device_(device),
        plan_(plan),
        settings_(plan.settings),
        engine_(engine),
        marks_(engine.marks().size()),
        kept_costs_(settings_.islands, infinity),
        kept_rows_(std::size_t{settings_.islands} * settings_.row),
        kept_improved_(settings_.islands) {}

  /// Reads the marks, and the rest that shows when the best got better. The device stops by itself.
  void read_marks() {
    engine_.queue().read(engine_.marks(), std::span(marks_));
    has_marks_ = true;
    stopped_ = marks_[GENETIC_STOP] <= engine_.generation();
    // That ends the run.
    if (stopped_) read_twice(device_, engine_.queue(), engine_.marks(), std::span(marks_));
    if (stopped_) engine_.set_generation(marks_[GENETIC_STOP]);
    if (plan_.host_watches_stagnation) read_limits();
    ring_status_.reset();
  }
  /// Whether they were read.
  bool has_marks() const { return has_marks_; }
  void read_limits() {
    limits_.resize(engine_.limits().size());
    engine_.queue().read(engine_.limits(), std::span(limits_));
  }

  /// Whether the run has stopped: the target is reached, or a device found stagnation.
  bool stopped() const { return ring_status_ ? ring_status_->stop <= engine_.generation() : stopped_; }
  std::uint64_t restarts() const { return restarts_; }
  std::uint64_t evaluations() const { return evaluations_at(settings_, engine_.generation(), restarts_); }

  /// The best cost of an island ever, by the limits that were read last.
  Real cost_of(std::size_t island) const { return std::min(kept_costs_[island], best_since_restart(island)); }
  std::size_t best_island() const {
    std::size_t best = 0;
    for (std::size_t island = 1; island < settings_.islands; ++island)
      if (cost_of(island) < cost_of(best)) best = island;
    return best;
  }
  bool reaches_target() const {
    return settings_.has_target != 0 && cost_of(best_island()) <= static_cast<Real>(plan_.numbers[GENETIC_TARGET]);
  }

  /// The last generation in which an island's best got better, by the limits and marks that were read last.
  std::uint64_t improved() const { return ring_status_ ? ring_status_->improved : improved_here(); }
  /// The same of the best since the last restart, by the marks alone.
  std::uint64_t improved_since_restart() const {
    return ring_status_ ? ring_status_->improved_since_restart : improved_since_restart_here();
  }

  /// Draws a new population for the next generation. The best so far is kept here.
  void restart() {
    keep_best();
    engine_.restart();
    ++restarts_;
  }
  /// Keeps the best of each island ever, where the device has a better one than was kept.
  void keep_best() {
    read_limits();
    const auto rows = engine_.queue().read_all(engine_.best());
    for (std::size_t island = 0; island < settings_.islands; ++island) {
      if (!is_better_since_restart(island) && kept_costs_[island] < infinity) continue;
      kept_costs_[island] = best_since_restart(island);
      kept_improved_[island] = improved_since_restart(island);
      std::copy_n(&rows[island * settings_.row], settings_.row, &kept_rows_[island * settings_.row]);
    }
  }
  /// The individual that was kept of an island.
  std::span<const Element> kept_row(std::size_t island) const {
    return {&kept_rows_[island * settings_.row], settings_.row};
  }
  const std::vector<Element>& kept_rows() const { return kept_rows_; }
  const std::vector<Real>& kept_costs() const { return kept_costs_; }

  /// Keeps an individual as the first island's best if it is better than that of every island.
  void keep_better(Real cost, std::span<const Element> row) {
    if (!(cost < cost_of(best_island()))) return;
    kept_costs_.front() = cost;
    std::copy(row.begin(), row.end(), kept_rows_.begin());
  }
  /// The best individual ever, by the limits that were read last.
  std::vector<Element> read_best_row() {
    const auto island = best_island();
    if (!is_better_since_restart(island) && kept_costs_[island] < infinity) {
      const auto kept = kept_row(island);
      return {kept.begin(), kept.end()};
    }
    std::vector<Element> row(settings_.row);
    engine_.queue().read(engine_.best(), std::span(row), island * settings_.row);
    return row;
  }

  /// All islands as they are.
  /// \param has_population whether the population belongs to it.
  IslandState<Element, Real> read_state(bool has_population = true) {
    read_limits();
    auto& queue = engine_.queue();
    IslandState<Element, Real> state;
    state.generation = engine_.generation();
    state.restarts = restarts_;
    if (has_population) state.population = queue.read_all(engine_.population());
    state.costs = queue.read_all(engine_.costs());
    state.limits = limits_;
    state.best = queue.read_all(engine_.best());
    state.marks.assign(marks_.begin() + GENETIC_MARKS, marks_.end());
    state.kept_costs = kept_costs_;
    state.kept_rows = kept_rows_;
    state.kept_improved = kept_improved_;
    return state;
  }

  /// Resumes from a state of the same run.
  void restore(const IslandState<Element, Real>& state) {
    engine_.set_generation(state.generation);
    restarts_ = state.restarts;
    kept_costs_ = state.kept_costs;
    kept_rows_ = state.kept_rows;
    kept_improved_ = state.kept_improved;
    limits_ = state.limits;
    marks_.assign(engine_.marks().size(), 0);
    std::copy(state.marks.begin(), state.marks.end(), marks_.begin() + GENETIC_MARKS);
    find_stop(state.generation);
    auto& queue = engine_.queue();
    queue.write(engine_.population(), std::span<const Element>(state.population));
    queue.write(engine_.costs(), std::span<const Real>(state.costs));
    queue.write(engine_.best(), std::span<const Element>(state.best));
    queue.write(engine_.limits(), std::span<const Real>(limits_));
    queue.write(engine_.marks(), std::span<const std::uint32_t>(marks_));
    read_marks();
  }

  /// The message of these islands to those of other runs, by the marks that were read last.
  RingStatus own_status() const {
    RingStatus status;
    if (stopped_) status.stop = marks_[GENETIC_STOP];
    if (plan_.host_watches_stagnation) status.improved = static_cast<std::uint32_t>(improved_here());
    status.improved_since_restart = static_cast<std::uint32_t>(improved_since_restart_here());
    return status;
  }
  /// What holds of all runs' islands from now on, until it is received again.
  void set_ring_status(const RingStatus& status) { ring_status_ = status; }

 private:
  static constexpr Real infinity = std::numeric_limits<Real>::infinity();

  Real best_since_restart(std::size_t island) const { return limits_[island * GENETIC_LIMITS + GENETIC_BEST]; }
  bool is_better_since_restart(std::size_t island) const { return best_since_restart(island) < kept_costs_[island]; }
  std::uint32_t improved_since_restart(std::size_t island) const {
    return marks_[GENETIC_MARKS + island * GENETIC_MARKS_EACH];
  }
  std::uint64_t improved_here() const {
    std::uint64_t latest = 0;
    for (std::size_t island = 0; island < settings_.islands; ++island)
      latest = std::max<std::uint64_t>(
          latest, is_better_since_restart(island) ? improved_since_restart(island) : kept_improved_[island]);
    return latest;
  }
  std::uint64_t improved_since_restart_here() const {
    std::uint64_t latest = 0;
    for (std::size_t island = 0; island < settings_.islands; ++island)
      latest = std::max<std::uint64_t>(latest, improved_since_restart(island));
    return latest;
  }

  // Limits may have changed: whether the run ends is determined again.
  void find_stop(std::uint64_t generation) {
    marks_[GENETIC_STOP] = std::numeric_limits<std::uint32_t>::max();
    for (std::size_t island = 0; island < settings_.islands; ++island)
      if (settings_.stagnation != 0 && generation - improved_since_restart(island) >= settings_.stagnation)
        marks_[GENETIC_STOP] = static_cast<std::uint32_t>(generation);
    if (reaches_target()) marks_[GENETIC_STOP] = static_cast<std::uint32_t>(generation);
  }

  Device& device_;
  const Plan& plan_;
  const Settings& settings_;
  Engine<Element, Real>& engine_;
  std::vector<std::uint32_t> marks_;
  bool has_marks_ = false;
  std::vector<Real> limits_;
  bool stopped_ = false;
  std::optional<RingStatus> ring_status_;  ///< of all runs, where this one is among others
  std::uint64_t restarts_ = 0;
  std::vector<Real> kept_costs_;              ///< infinity where nothing was kept
  std::vector<Element> kept_rows_;            ///< of each island
  std::vector<std::uint32_t> kept_improved_;  ///< the generations of the individuals that were kept
};

}  // namespace clopt::genetic
