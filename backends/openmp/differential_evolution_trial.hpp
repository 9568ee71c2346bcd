/// \file
/// Trials of differential evolution, one after the other; kernels_cl/differential_evolution/trial.cl is the same.
#pragma once

#include <differential_evolution/operations.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>
#include <span>

namespace clopt::openmp::differential_evolution {

using clopt::differential_evolution::Settings;
using clopt::differential_evolution::State;

/// Calls a function with the numbers below \p count, by all threads; what one call throws, such as a function of the
/// user's, is thrown once all threads are done.
template <class Function>
void in_parallel(std::size_t count, const Function& function) {
  std::exception_ptr error;
  std::atomic<bool> failed{false};
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(count); ++k) {
    if (failed) continue;
    try {
      function(static_cast<std::size_t>(k));
    } catch (...) {
      if (!failed.exchange(true)) error = std::current_exception();
    }
  }
  if (error) std::rethrow_exception(error);
}

/// F and CR of an individual in a generation.
template <class Real>
struct Control {
  Real weight;
  std::uint64_t crossover;
};

/// One problem's population in a generation.
template <class Real>
struct Generation {
  const Settings& settings;
  const Real* bounds;  ///< the lower ones, then the upper
  Real* controls;      ///< F of all individuals, then CR
  Real weight;
  std::uint32_t problem;
  std::uint32_t number;
  std::uint32_t best;

  shared::evolution_drawn draw(std::uint32_t i) const {
    return shared::evolution_draw(settings.seed, problem, number, i, settings.population, settings.dimensions,
                                  shared::evolution_draws_five(settings.strategy));
  }

  Control<Real> control(std::uint32_t i) const {
    if (settings.adapt != EVOLUTION_JDE) return {weight, settings.crossover};
    const auto block = shared::random_at(settings.seed, problem, number, i, EVOLUTION_DRAW_CONTROL);
    return {shared::evolution_jde_weight(block, controls[i]),
            shared::evolution_probability(
                shared::evolution_jde_crossover(block, controls[std::size_t{settings.population} + i]))};
  }

  /// Keeps what made a better individual.
  void keep_control(std::uint32_t i) const {
    if (settings.adapt != EVOLUTION_JDE) return;
    const auto block = shared::random_at(settings.seed, problem, number, i, EVOLUTION_DRAW_CONTROL);
    auto& crossover = controls[std::size_t{settings.population} + i];
    controls[i] = shared::evolution_jde_weight(block, controls[i]);
    crossover = shared::evolution_jde_crossover(block, crossover);
  }

  Real bounded(Real value, std::uint32_t i, std::uint32_t j) const {
    return shared::evolution_bounded(value, bounds[j], bounds[settings.dimensions + j], settings.bounds, settings.seed,
                                     problem, number, i, j);
  }

  std::uint32_t length(std::uint32_t i, std::uint64_t crossover) const {
    if (settings.exponential == 0) return 0;
    return shared::evolution_length(settings.seed, problem, number, i, settings.dimensions, crossover);
  }

  std::uint32_t taken(std::uint32_t i, std::uint32_t group, std::uint64_t crossover, std::uint32_t forced,
                      std::uint32_t length) const {
    return shared::evolution_taken(settings.seed, problem, number, i, group, crossover, settings.exponential, forced,
                                   length, settings.dimensions);
  }
};

/// Equation (1): parameter j of a mutant, from the parameter of all individuals.
template <class Real>
Real mutant_of(const Real* parameter, const shared::evolution_donors& donors, Real weight, bool has_second) {
  const auto mutant =
      shared::evolution_mutant(parameter[donors.base], parameter[donors.plus], parameter[donors.minus], weight);
  if (!has_second) return mutant;
  return shared::evolution_mutant(mutant, parameter[donors.second_plus], parameter[donors.second_minus], weight);
}

/// The trial of individual i: parameter j of an individual is at[j * population + individual], in both.
template <class Real>
void make_trial(const Generation<Real>& generation, const shared::evolution_drawn& drawn, std::uint32_t i,
                const Real* current, Real* trial) {
  const auto& settings = generation.settings;
  const auto donors = shared::evolution_donors_of(drawn, settings.strategy, i, generation.best);
  const auto control = generation.control(i);
  const auto length = generation.length(i, control.crossover);
  const bool has_second = shared::evolution_has_second(settings.strategy) != 0;
  for (std::uint32_t j = 0, taken = 0; j < settings.dimensions; ++j, taken >>= 1) {
    if (j % EVOLUTION_GROUP == 0)
      taken = generation.taken(i, j / EVOLUTION_GROUP, control.crossover, drawn.forced, length);
    const Real* const parameter = current + std::size_t{j} * settings.population;
    trial[std::size_t{j} * settings.population + i] =
        (taken & 1) != 0 ? generation.bounded(mutant_of(parameter, donors, control.weight, has_second), i, j)
                         : parameter[i];
  }
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

/// Makes the worst of values that are no numbers. \returns how many there were.
template <class Real>
std::uint32_t replace_invalid(std::span<Real> values) {
  std::uint32_t invalid = 0;
  for (auto& value : values) {
    const bool is_number = value == value;
    invalid += is_number ? 0 : 1;
    value = is_number ? value : std::numeric_limits<Real>::infinity();
  }
  return invalid;
}

}  // namespace clopt::openmp::differential_evolution
