/// \file
/// Trials of differential evolution, one after the other; kernels_cl/differential_evolution/trial.cl is the same.
#pragma once

#include <shared/differential_evolution/arithmetic.h>
#include <shared/differential_evolution/crossover.h>
#include <differential_evolution/operations.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include <openmp/work_item.hpp>

namespace clopt::openmp::differential_evolution {

using clopt::differential_evolution::Settings;
using clopt::differential_evolution::State;

/// Vectors, parameter by parameter or one behind the other.
template <class Real>
struct VectorView {
  Real* first;
  std::size_t vector_step;
  std::size_t parameter_step;

  Real& operator()(std::size_t vector, std::size_t parameter) const {
    return first[vector * vector_step + parameter * parameter_step];
  }
};

// What a program in OpenCL C defines.
#define DIMENSIONS (run->dimensions)
#define STRATEGY (run->strategy)
#define EXPONENTIAL (run->exponential)
#define ADAPT (run->adapt)
#define BOUNDS (run->bounds)
#define UNIFORM_BOUNDS false
#define WHOLE (run->whole != 0)
#define CONSTRAINED (run->constrained)
/// The kernels of stages.cl and the functions of population.cl, for a run.
template <class real>
struct Stages : WorkItemOf<Settings> {
#include <openmp/kernel_text.hpp>

#include <differential_evolution/stages.cl>

#include <openmp/kernel_text_end.hpp>
};
#undef DIMENSIONS
#undef STRATEGY
#undef EXPONENTIAL
#undef ADAPT
#undef BOUNDS
#undef UNIFORM_BOUNDS
#undef WHOLE
#undef CONSTRAINED

/// One problem's population in a generation.
template <class Real>
struct Generation {
  const Settings& settings;
  const Real* bounds;  ///< the lower ones, then the upper, then flags of whole numbers where there are such
  Real* controls;      ///< F of all individuals, then CR, then what SHADE keeps
  Real weight;
  std::uint32_t problem;
  std::uint32_t number;
  std::uint32_t best;
  const std::uint32_t* order;  ///< individuals by rank, where the strategy needs them
  std::uint32_t alive;         ///< individuals, which are fewer than the population where that shrinks
  std::uint32_t archived;      ///< vectors in the archive
  const Real* archive;         ///< parameter by parameter

  shared::evolution_drawn draw(std::uint32_t i) const {
    return shared::evolution_draw(settings.seed, problem, number, i, alive, settings.dimensions, settings.strategy,
                                  settings.adapt, archived, settings.unforced);
  }

  /// Parameter j of a mutant, from the parameter of all individuals.
  Real mutant(const Real* parameter, std::uint32_t j, const shared::evolution_donors& donors, Real own_weight) const {
    const auto first =
        shared::evolution_mutant(parameter[donors.base], parameter[donors.plus], parameter[donors.minus], own_weight);
    if (shared::evolution_has_second(settings.strategy) == 0) return first;
    const Real minus = donors.second_minus < alive
                           ? parameter[donors.second_minus]
                           : archive[std::size_t{j} * settings.archive + (donors.second_minus - alive)];
    return shared::evolution_mutant(first, parameter[donors.second_plus], minus, own_weight);
  }

  /// The best individual, or the leader that was drawn.
  std::uint32_t best_for(const shared::evolution_drawn& drawn) const {
    return settings.strategy == EVOLUTION_CURRENT_TO_PBEST_1 ? order[drawn.r4] : best;
  }

  auto control(std::uint32_t i) const { return stages().control_of(settings, address(i), weight, controls); }

  /// Keeps what became of an individual's F and CR.
  void keep_control(std::uint32_t i, Real before, Real after) const {
    if (settings.adapt == EVOLUTION_FIXED || (settings.adapt == EVOLUTION_JDE && !(after < before))) return;
    stages().keep_control(settings, address(i), control(i), controls, before, after);
  }

  /// Keeps the vectors that were replaced. \returns how many there are.
  std::uint32_t keep_replaced(const VectorView<const Real>& old, const VectorView<Real>& kept) const {
    const std::size_t population = settings.population;
    const auto room = shared::evolution_archive(settings.strategy, settings.adapt, alive);
    auto filled = archived;
    for (std::uint32_t i = 0; i < alive && room != 0; ++i) {
      if (!(controls[2 * population + i] > 0)) continue;
      const bool is_full = filled >= room;
      const auto place = is_full ? shared::evolution_archive_place(settings.seed, problem, number, i, 0, room) : filled;
      for (std::size_t j = 0; j < settings.dimensions; ++j) kept(place, j) = old(i, j);
      filled += is_full ? 0 : 1;
    }
    return filled;
  }

  /// What is remembered after a generation.
  void remember_controls() const { stages().remember_controls(settings.population, alive, controls); }

  Real bounded(Real value, std::uint32_t i, std::uint32_t j) const {
    return stages().bounded(address(i), stages().box_of(bounds), value, j);
  }

  shared::evolution_address address(std::uint32_t i) const { return {settings.seed, problem, number, i}; }

 private:
  Stages<Real> stages() const { return {{{}, &settings}}; }
};

/// order[r] = the individual of rank r, the first of equal ones first, for ranks below \p wanted; beyond them lie the
/// others, in any order.
template <class Real>
void find_order(const Real* values, std::uint32_t population, std::uint32_t wanted, std::uint32_t* order) {
  std::iota(order, order + population, 0U);
  const auto is_before = [values](std::uint32_t a, std::uint32_t b) {
    return values[a] < values[b] || (values[a] == values[b] && a < b);
  };
  if (wanted < population) std::nth_element(order, order + wanted, order + population, is_before);
  std::sort(order, order + wanted, is_before);
}

/// How many ranks leaders are drawn from, at most.
inline std::uint32_t most_leaders(std::uint32_t population, std::uint32_t adapt) {
  return std::min(population, shared::evolution_leaders(population, adapt, ~std::uint32_t{0}));
}

/// Drops the worst individuals, down to \p left: the last ones that stay take the places of those that go.
template <class Real>
void drop_worst(const Settings& settings, const VectorView<Real>& vectors, Real* values, std::uint32_t alive,
                std::uint32_t left) {
  std::vector<std::uint32_t> order(alive);
  find_order(values, alive, alive, order.data());
  std::vector<bool> goes(alive);
  for (auto rank = left; rank < alive; ++rank) goes[order[rank]] = true;
  auto rank = left;
  for (auto i = left; i < alive; ++i) {
    if (goes[i]) continue;
    while (order[rank] >= left) ++rank;
    const auto to = order[rank++];
    for (std::size_t j = 0; j < settings.dimensions; ++j) vectors(to, j) = vectors(i, j);
    values[to] = values[i];
  }
}

/// Drops archived vectors at random, down to \p room. \returns how many there are.
template <class Real>
std::uint32_t shrink_archive(const Generation<Real>& generation, const VectorView<Real>& archive,
                             std::uint32_t archived, std::uint32_t room) {
  const auto& settings = generation.settings;
  for (; archived > room; --archived) {
    const auto goes =
        shared::evolution_archive_place(settings.seed, generation.problem, generation.number, archived, 1, archived);
    for (std::size_t j = 0; j < settings.dimensions; ++j) archive(goes, j) = archive(archived - 1, j);
  }
  return archived;
}

/// A problem's vectors after a generation; those before it, where they were replaced; and those replaced that are kept.
template <class Real>
struct Replaced {
  VectorView<Real> vectors;
  VectorView<const Real> old;
  VectorView<Real> archive;
};

/// The same where all lie parameter by parameter.
template <class Real>
Replaced<Real> replaced_in_columns(const Settings& settings, Real* vectors, const Real* old, Real* archive) {
  return {{vectors, 1, settings.population}, {old, 1, settings.population}, {archive, 1, settings.archive}};
}

/// What SHADE and L-SHADE do between two generations.
template <class Real>
void renew(const Generation<Real>& generation, const Replaced<Real>& replaced, Real* values, State& state) {
  const auto& settings = generation.settings;
  state.archived = generation.keep_replaced(replaced.old, replaced.archive);
  generation.remember_controls();
  state.evaluations += state.alive;
  if (settings.adapt != EVOLUTION_LSHADE) return;
  const auto past = settings.by_evaluations != 0 ? state.evaluations : std::uint64_t{generation.number};
  const auto left = std::min(state.alive, shared::evolution_shrunk(settings.population, settings.least_population, past,
                                                                   settings.shrinks_until));
  if (left < state.alive) drop_worst(settings, replaced.vectors, values, state.alive, left);
  state.alive = left;
  state.archived = shrink_archive(generation, replaced.archive, state.archived,
                                  shared::evolution_archive(settings.strategy, settings.adapt, left));
}

/// Calls a function for each parameter of individual i, in ascending order, with whether it comes from the mutant.
template <class Real, class Function>
void for_crossed(const Generation<Real>& generation, const shared::evolution_drawn& drawn, std::uint32_t i,
                 std::uint64_t crossover, const Function& function) {
  const auto& settings = generation.settings;
  const auto at = generation.address(i);
  auto now = shared::evolution_crossing_of(at, drawn, settings.dimensions, settings.exponential, crossover);
  for (std::uint32_t j = 0; j < settings.dimensions; ++j) {
    now = shared::evolution_cross(now, at, j, drawn.forced, settings.dimensions, settings.exponential, crossover);
    function(j, now.taken != 0);
  }
}

/// The trial of individual i: parameter j of an individual is at[j * population + individual], in both.
template <class Real>
void make_trial(const Generation<Real>& generation, const shared::evolution_drawn& drawn, std::uint32_t i,
                const Real* current, Real* trial) {
  const auto& settings = generation.settings;
  const auto donors = shared::evolution_donors_of(drawn, settings.strategy, i, generation.best_for(drawn));
  const auto control = generation.control(i);
  for_crossed(generation, drawn, i, control.crossover, [&](std::uint32_t j, bool taken) {
    const Real* const parameter = current + std::size_t{j} * settings.population;
    trial[std::size_t{j} * settings.population + i] =
        taken ? generation.bounded(generation.mutant(parameter, j, donors, control.weight), i, j) : parameter[i];
  });
}

/// A value as words; every NaN is the same.
inline std::uint64_t bits_of(float value) { return value == value ? std::bit_cast<std::uint32_t>(value) : 0x7fc00000U; }
inline std::uint64_t bits_of(double value) {
  return value == value ? std::bit_cast<std::uint64_t>(value) : 0x7ff8000000000000U;
}

/// What lead and summarise look for.
template <class Real>
struct Extremes {
  Real least = std::numeric_limits<Real>::infinity();
  Real greatest = -std::numeric_limits<Real>::infinity();
  std::uint32_t best = 0;
};

template <class Real>
Extremes<Real> find_extremes(const Real* values, std::uint32_t population) {
  Extremes<Real> found;
  for (std::uint32_t i = 0; i < population; ++i) {
    if (values[i] < found.least) {
      found.least = values[i];
      found.best = i;
    }
    found.greatest = std::max(found.greatest, values[i]);
  }
  return found;
}

/// Notes the least value after a generation in a problem's state. \returns whether the problem ends by stagnation.
template <class Real>
bool stagnates(const Settings& settings, Real least, std::uint32_t generation, State& state) {
  if ((settings.stop & EVOLUTION_STOP_STAGNATION) == 0) return false;
  state = shared::evolution_with_least(state, bits_of(least + Real{0}), generation);
  return shared::evolution_stagnates(state, generation, settings.stagnation) != 0;
}

/// Turns the objective's values into those that are minimised: the negatives where it is maximised, and the worst value
/// in place of NaN. \returns the number of NaNs.
template <class Real>
std::uint32_t settle_values(const Settings& settings, std::span<Real> values) {
  if (settings.maximise != 0)
    for (auto& value : values) value = -value;
  std::uint32_t invalid = 0;
  for (auto& value : values) {
    const bool is_number = value == value;
    invalid += is_number ? 0 : 1;
    value = is_number ? value : std::numeric_limits<Real>::infinity();
  }
  return invalid;
}

}  // namespace clopt::openmp::differential_evolution
