/// \file
/// Islands as they are between two generations, on the host.
#pragma once

#include <clopt/checkpoint.hpp>
#include <run/record_fields.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <genetic/plan.hpp>
#include "genes.hpp"

namespace clopt::genetic {

/// Element and Real as in operations.hpp. The arrays have one island behind the other.
template <class Element, class Real>
struct IslandState {
  std::uint64_t generation = 0;
  std::uint64_t restarts = 0;
  std::vector<Element> population;
  std::vector<Real> costs;
  std::vector<Real> limits;
  std::vector<Element> best;         ///< since the last restart
  std::vector<std::uint32_t> marks;  ///< GENETIC_MARKS_EACH of each island
  std::vector<Real> kept_costs;      ///< the best before the last restart; infinity where nothing was kept
  std::vector<Element> kept_rows;
  std::vector<std::uint32_t> kept_improved;

  std::size_t islands() const { return kept_costs.size(); }
  Real best_since_restart(std::size_t island) const { return limits[island * GENETIC_LIMITS + GENETIC_BEST]; }
  std::uint32_t improved_since_restart(std::size_t island) const { return marks[island * GENETIC_MARKS_EACH]; }

  /// The best cost of each island ever.
  std::vector<Real> best_costs() const {
    std::vector<Real> costs_of_best;
    for (std::size_t island = 0; island < islands(); ++island)
      costs_of_best.push_back(std::min(kept_costs[island], best_since_restart(island)));
    return costs_of_best;
  }
  /// The individuals that have them.
  std::vector<Element> best_rows() const {
    auto rows = kept_rows;
    const auto row = rows.size() / islands();
    for (std::size_t island = 0; island < islands(); ++island)
      if (best_since_restart(island) < kept_costs[island] || !(kept_costs[island] < infinity))
        std::copy_n(&best[island * row], row, &rows[island * row]);
    return rows;
  }

  /// Takes over the islands that come next.
  void append(const IslandState& next) {
    generation = next.generation;
    restarts = next.restarts;
    for_each_array(*this, next, [](const char*, auto& array, const auto& more) {
      array.insert(array.end(), more.begin(), more.end());
    });
  }
  /// Some of the islands.
  IslandState part(std::size_t first, std::size_t count) const {
    IslandState part;
    part.generation = generation;
    part.restarts = restarts;
    for_each_array(part, *this, [&](const char*, auto& array, const auto& all) {
      const auto each = all.size() / islands();
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first * each);
      array.assign(begin, begin + static_cast<std::ptrdiff_t>(count * each));
    });
    return part;
  }

 private:
  static constexpr Real infinity = std::numeric_limits<Real>::infinity();

  template <class One, class Other, class Function>
  static void for_each_array(One& one, Other& other, const Function& function) {
    function("population", one.population, other.population);
    function("costs", one.costs, other.costs);
    function("limits", one.limits, other.limits);
    function("best", one.best, other.best);
    function("marks", one.marks, other.marks);
    function("kept_costs", one.kept_costs, other.kept_costs);
    function("kept_best", one.kept_rows, other.kept_rows);
    function("kept_improved", one.kept_improved, other.kept_improved);
  }

  template <class Archive>
  friend void fields(Archive& archive, IslandState& state) {
    archive("generation", state.generation)("restarts", state.restarts);
    for_each_array(state, state, [&](const char* name, auto& array, auto&) { archive(name, array); });
  }
};

/// Islands in a checkpoint. The arrays are part of the file's format.
template <class State>
struct CheckpointFields {
  State& state;
  std::uint64_t initial;  ///< a hash of the individuals that the run began with
  bool restarts;          ///< whether the run does
};

template <class Archive, class State>
void fields(Archive& archive, CheckpointFields<State>& kept) {
  auto& state = kept.state;
  archive("generation", state.generation)("initial", kept.initial)("population", state.population);
  archive("costs", state.costs)("limits", state.limits)("best", state.best);
  // Where the run stops is recomputed on resume.
  std::vector<std::uint32_t> marks(GENETIC_MARKS);
  marks[GENETIC_STOP] = std::numeric_limits<std::uint32_t>::max();
  marks.insert(marks.end(), state.marks.begin(), state.marks.end());
  if constexpr (Archive::is_reader) {
    archive("marks", marks);
    state.marks.assign(marks.begin() + GENETIC_MARKS, marks.end());
  } else {
    archive("marks", std::move(marks));
  }
  if (kept.restarts)
    archive("restarts", state.restarts)("kept_costs", state.kept_costs)("kept_best", state.kept_rows)(
        "kept_improved", state.kept_improved);
}

/// Bytes of the islands of a plan, about.
template <class Element, class Real>
std::uint64_t state_bytes(const Plan& plan) {
  const auto& settings = plan.settings;
  return std::uint64_t{settings.islands} *
         ((std::uint64_t{settings.population} + 2) * (std::uint64_t{settings.row} * sizeof(Element) + sizeof(Real)) +
          64);
}

/// What checkpoints are written from, and read by; their arrays are part of the file's format.
template <class Element, class Real>
class IslandStateFile {
 public:
  explicit IslandStateFile(const Plan& plan) : plan_(plan), settings_(plan.settings), genes_(plan) {}

  /// \param initial a hash of the individuals that the run began with.
  void write(CheckpointWriter& writer, RunIdentity identity, const IslandState<Element, Real>& state,
             std::uint64_t initial) const {
    const CheckpointFields<const IslandState<Element, Real>> kept{state, initial, plan_.restart != 0};
    writer.write(record_of_state(std::move(identity), kept));
  }

  /// \throws InvalidInput where a checkpoint cannot be of the plan's run.
  IslandState<Element, Real> read(const Checkpoint& checkpoint) const {
    IslandState<Element, Real> state;
    const std::size_t islands = settings_.islands;
    const auto individuals = islands * settings_.population;
    state.population.resize(individuals * settings_.row);
    state.costs.resize(individuals);
    state.limits.resize(islands * GENETIC_LIMITS);
    state.best.resize(islands * settings_.row);
    state.marks.resize(islands * GENETIC_MARKS_EACH);
    state.kept_costs.assign(islands, std::numeric_limits<Real>::infinity());
    state.kept_rows.resize(islands * settings_.row);
    state.kept_improved.resize(islands);
    CheckpointFields<IslandState<Element, Real>> kept{state, 0, plan_.restart != 0};
    read_checkpoint(checkpoint, kept);
    if (state.generation > std::numeric_limits<std::uint32_t>::max() - 1)
      checkpoint.refuse("its 'generation' is too large");
    genes_.require_genes(checkpoint, state.population);
    require_kept(checkpoint, state);
    require_best(checkpoint, state);
    require_limits(checkpoint, state);
    return state;
  }

 private:
  void require_kept(const Checkpoint& checkpoint, const IslandState<Element, Real>& state) const {
    if (state.restarts > state.generation) checkpoint.refuse("it has more 'restarts' than generations");
    for (std::size_t island = 0; island < state.islands(); ++island)
      if (std::isnan(state.kept_costs[island]) || state.kept_improved[island] > state.generation)
        checkpoint.refuse("its 'kept_costs' or 'kept_improved' are not of its run");
  }

  void require_best(const Checkpoint& checkpoint, const IslandState<Element, Real>& state) const {
    constexpr auto infinity = std::numeric_limits<Real>::infinity();
    const auto row_of = [&](const std::vector<Element>& rows, std::size_t island) {
      return std::span(rows).subspan(island * settings_.row, settings_.row);
    };
    for (std::size_t island = 0; island < state.islands(); ++island) {
      if (state.best_since_restart(island) < infinity) genes_.require_genes(checkpoint, row_of(state.best, island));
      if (state.kept_costs[island] < infinity) genes_.require_genes(checkpoint, row_of(state.kept_rows, island));
      if (state.improved_since_restart(island) > state.generation)
        checkpoint.refuse("its 'marks' are of a later generation");
    }
  }

  // The limits must be those of the values, which steer the selection.
  void require_limits(const Checkpoint& checkpoint, const IslandState<Element, Real>& state) const {
    for (std::size_t island = 0; island < state.islands(); ++island) {
      Real least = std::numeric_limits<Real>::infinity();
      Real greatest = -least;
      for (const Real cost : std::span(state.costs).subspan(island * settings_.population, settings_.population)) {
        if (std::isnan(cost)) checkpoint.refuse("a value of its 'costs' is not a number");
        if (!(cost < std::numeric_limits<Real>::infinity())) continue;
        least = std::min(least, cost);
        greatest = std::max(greatest, cost);
      }
      const auto* const limits = &state.limits[island * GENETIC_LIMITS];
      if (limits[GENETIC_LEAST] != least || limits[GENETIC_GREATEST] != greatest || std::isnan(limits[GENETIC_BEST]))
        checkpoint.refuse("its 'limits' are not the least and greatest of its 'costs'");
    }
  }

  const Plan& plan_;
  const Settings& settings_;
  Genes<Element> genes_;
};

}  // namespace clopt::genetic
