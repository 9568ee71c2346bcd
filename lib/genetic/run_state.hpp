/// \file
/// Where a run stands, as the host knows it: what the device says of its islands, and what was the best before the
/// population was drawn anew.
#pragma once

#include <clopt/checkpoint.hpp>
#include <device/doubt.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "engine.hpp"
#include "genes.hpp"

namespace clopt::genetic {

/// Element and Real as in operations.hpp.
template <class Element, class Real>
class RunState {
 public:
  RunState(Device& device, const Plan& plan, Engine<Element, Real>& engine)
      : device_(device),
        plan_(plan),
        run_(plan.settings),
        genes_(plan),
        engine_(engine),
        kept_costs_(run_.islands, infinity),
        kept_rows_(std::size_t{run_.islands} * run_.row),
        kept_improved_(run_.islands) {}

  /// Reads the marks, and what else tells when the best got better. The device stops by itself.
  void read_marks() {
    marks_.resize(engine_.marks().size());
    engine_.queue().read(engine_.marks(), std::span(marks_));
    stopped_ = marks_[GENETIC_STOP] <= engine_.generation();
    // That ends the run.
    if (stopped_) read_twice(device_, engine_.queue(), engine_.marks(), std::span(marks_));
    if (stopped_) engine_.set_generation(marks_[GENETIC_STOP]);
    if (plan_.host_watches_stagnation) read_limits();
  }
  void read_limits() {
    limits_.resize(engine_.limits().size());
    engine_.queue().read(engine_.limits(), std::span(limits_));
  }

  /// Whether the device stopped: the target is reached, or it found stagnation.
  bool stopped() const { return stopped_; }
  std::uint64_t restarts() const { return restarts_; }
  std::uint64_t evaluations() const { return evaluations_at(run_, engine_.generation(), restarts_); }

  /// The best cost of an island ever, by the limits that were read last.
  Real cost_of(std::size_t island) const { return std::min(kept_costs_[island], best_since_restart(island)); }
  std::size_t best_island() const {
    std::size_t best = 0;
    for (std::size_t island = 1; island < run_.islands; ++island)
      if (cost_of(island) < cost_of(best)) best = island;
    return best;
  }
  bool reaches_target() const {
    return run_.has_target != 0 && cost_of(best_island()) <= static_cast<Real>(plan_.numbers[GENETIC_TARGET]);
  }

  /// The last generation in which an island's best got better, by the limits and marks that were read last.
  std::uint64_t improved() const {
    std::uint64_t latest = 0;
    for (std::size_t island = 0; island < run_.islands; ++island)
      latest = std::max<std::uint64_t>(
          latest, is_better_since_restart(island) ? improved_since_restart(island) : kept_improved_[island]);
    return latest;
  }
  /// The same of the best since the last restart, by the marks alone.
  std::uint64_t improved_since_restart() const {
    std::uint64_t latest = 0;
    for (std::size_t island = 0; island < run_.islands; ++island)
      latest = std::max<std::uint64_t>(latest, improved_since_restart(island));
    return latest;
  }

  /// Draws the next generation anew. The best so far is kept here.
  void restart() {
    keep_best();
    ++restarts_;
    engine_.restart();
  }
  /// Keeps the best of each island ever, where the device has a better one than was kept.
  void keep_best() {
    read_limits();
    const auto rows = engine_.queue().read_all(engine_.best());
    for (std::size_t island = 0; island < run_.islands; ++island) {
      if (!is_better_since_restart(island) && kept_costs_[island] < infinity) continue;
      kept_costs_[island] = best_since_restart(island);
      kept_improved_[island] = improved_since_restart(island);
      std::copy_n(&rows[island * run_.row], run_.row, &kept_rows_[island * run_.row]);
    }
  }
  /// The individual that was kept of an island.
  std::span<const Element> kept_row(std::size_t island) const { return {&kept_rows_[island * run_.row], run_.row}; }
  const std::vector<Element>& kept_rows() const { return kept_rows_; }

  /// Writes a checkpoint. \returns the best individual, as the caller has genes.
  std::vector<double> save(CheckpointWriter& writer, RunIdentity identity, std::uint64_t initial) {
    read_limits();
    auto& queue = engine_.queue();
    const auto population = queue.read_all(engine_.population());
    const auto costs = queue.read_all(engine_.costs());
    const auto best = queue.read_all(engine_.best());
    CheckpointState state(std::move(identity));
    state.add("generation", engine_.generation())
        .add("initial", initial)
        .add("population", population)
        .add("costs", costs)
        .add("limits", limits_)
        .add("best", best)
        .add("marks", marks_);
    if (plan_.restart != 0)
      state.add("restarts", restarts_)
          .add("kept_costs", kept_costs_)
          .add("kept_best", kept_rows_)
          .add("kept_improved", kept_improved_);
    writer.write(state);
    const auto island = best_island();
    std::vector<double> point;
    genes_.unpack(is_better_since_restart(island) ? std::span<const Element>(&best[island * run_.row], run_.row)
                                                  : kept_row(island),
                  point);
    return point;
  }

  /// Goes on from a checkpoint of the same run. \throws InvalidInput where it cannot be one.
  void load(const Checkpoint& checkpoint) {
    const auto generation = checkpoint.number<std::uint64_t>("generation");
    if (generation > std::numeric_limits<std::uint32_t>::max() - 1) checkpoint.refuse("its generation is too large");
    engine_.set_generation(generation);
    const auto population = checkpoint.array<Element>("population", engine_.population().size());
    const auto costs = checkpoint.array<Real>("costs", individuals());
    const auto best = checkpoint.array<Element>("best", engine_.best().size());
    limits_ = checkpoint.array<Real>("limits", engine_.limits().size());
    marks_ = checkpoint.array<std::uint32_t>("marks", engine_.marks().size());
    genes_.require_genes(checkpoint, population);
    if (plan_.restart != 0) load_kept(checkpoint, generation);
    for (std::size_t island = 0; island < run_.islands; ++island) {
      if (best_since_restart(island) < infinity)
        genes_.require_genes(checkpoint, std::span(best).subspan(island * run_.row, run_.row));
      if (kept_costs_[island] < infinity) genes_.require_genes(checkpoint, kept_row(island));
    }
    require_limits(checkpoint, costs);
    find_stop(checkpoint, generation);
    auto& queue = engine_.queue();
    queue.write(engine_.population(), std::span<const Element>(population));
    queue.write(engine_.costs(), std::span<const Real>(costs));
    queue.write(engine_.best(), std::span<const Element>(best));
    queue.write(engine_.limits(), std::span<const Real>(limits_));
    queue.write(engine_.marks(), std::span<const std::uint32_t>(marks_));
    read_marks();
  }

 private:
  static constexpr Real infinity = std::numeric_limits<Real>::infinity();

  std::uint64_t individuals() const { return std::uint64_t{run_.population} * run_.islands; }
  Real best_since_restart(std::size_t island) const { return limits_[island * GENETIC_LIMITS + GENETIC_BEST]; }
  bool is_better_since_restart(std::size_t island) const { return best_since_restart(island) < kept_costs_[island]; }
  std::uint32_t improved_since_restart(std::size_t island) const {
    return marks_[GENETIC_MARKS + island * GENETIC_MARKS_EACH];
  }

  void load_kept(const Checkpoint& checkpoint, std::uint64_t generation) {
    restarts_ = checkpoint.number<std::uint64_t>("restarts");
    if (restarts_ > generation) checkpoint.refuse("it has more restarts than generations");
    kept_costs_ = checkpoint.array<Real>("kept_costs", kept_costs_.size());
    kept_rows_ = checkpoint.array<Element>("kept_best", kept_rows_.size());
    kept_improved_ = checkpoint.array<std::uint32_t>("kept_improved", kept_improved_.size());
    for (std::size_t island = 0; island < run_.islands; ++island)
      if (std::isnan(kept_costs_[island]) || kept_improved_[island] > generation)
        checkpoint.refuse("what it kept before a restart is none of its run");
  }

  // The limits must be those of the values, which steer the selection.
  void require_limits(const Checkpoint& checkpoint, std::span<const Real> costs) const {
    for (std::size_t island = 0; island < run_.islands; ++island) {
      Real least = infinity;
      Real greatest = -infinity;
      for (const Real cost : costs.subspan(island * run_.population, run_.population)) {
        if (std::isnan(cost)) checkpoint.refuse("a value of it is no number");
        if (!std::isfinite(cost)) continue;
        least = std::min(least, cost);
        greatest = std::max(greatest, cost);
      }
      const auto* const limits = &limits_[island * GENETIC_LIMITS];
      if (limits[GENETIC_LEAST] != least || limits[GENETIC_GREATEST] != greatest || std::isnan(limits[GENETIC_BEST]))
        checkpoint.refuse("its least and greatest values are not those of its individuals");
    }
  }

  // Limits may be others now: whether the run is to end is found out anew.
  void find_stop(const Checkpoint& checkpoint, std::uint64_t generation) {
    marks_[GENETIC_STOP] = std::numeric_limits<std::uint32_t>::max();
    for (std::size_t island = 0; island < run_.islands; ++island) {
      const auto since = improved_since_restart(island);
      if (since > generation) checkpoint.refuse("its marks are of a later generation");
      if (run_.stagnation != 0 && generation - since >= run_.stagnation)
        marks_[GENETIC_STOP] = static_cast<std::uint32_t>(generation);
    }
    if (reaches_target()) marks_[GENETIC_STOP] = static_cast<std::uint32_t>(generation);
  }

  Device& device_;
  const Plan& plan_;
  const Settings& run_;
  Genes<Element> genes_;
  Engine<Element, Real>& engine_;
  std::vector<std::uint32_t> marks_;
  std::vector<Real> limits_;
  bool stopped_ = false;
  std::uint64_t restarts_ = 0;
  std::vector<Real> kept_costs_;              ///< infinity where nothing was kept
  std::vector<Element> kept_rows_;            ///< of each island
  std::vector<std::uint32_t> kept_improved_;  ///< the generations of the individuals that were kept
};

}  // namespace clopt::genetic
