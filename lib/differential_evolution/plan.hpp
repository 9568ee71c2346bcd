/// \file
/// A run of differential evolution, checked, in the numbers that devices get.
#pragma once

#include <clopt/differential_evolution.hpp>

#include "operations.hpp"

namespace clopt::differential_evolution {

/// What is the same for all devices of a run.
struct Plan {
  const Problem& problem;
  const Options& options;
  Settings settings;
  std::vector<double> bounds;     ///< the lower ones of all dimensions, then the upper
  bool uniform_bounds = false;    ///< whether all dimensions have the same
  std::uint32_t generations = 0;  ///< at most, by the limits of generations and evaluations

  bool is_double() const { return options.precision == "double"; }
  /// The target as the run's precision has it.
  double target() const {
    const double target = options.target.value_or(0);
    return is_double() ? target : static_cast<double>(static_cast<float>(target));
  }
  bool needs_best() const { return shared::evolution_needs_best(settings.strategy) != 0; }
  bool needs_order() const { return settings.strategy == EVOLUTION_CURRENT_TO_PBEST_1; }
  /// Whether the least or the greatest value of a population is asked for each generation.
  bool needs_extremes() const { return needs_best() || (settings.stop & EVOLUTION_STOP_SPREAD) != 0; }
  /// Whether the values of a population must be looked at together each generation.
  bool needs_lead() const { return needs_extremes() || needs_order() || settings.adapt == EVOLUTION_SHADE; }
};

/// \throws InvalidInput, as solve() says.
Plan make_plan(const Problem& problem, const Options& options, const RunControl& control);

}  // namespace clopt::differential_evolution
