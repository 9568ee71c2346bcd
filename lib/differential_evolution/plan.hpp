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
  /// The target and the spread as the run's precision has them.
  double target() const { return rounded(options.target.value_or(0)); }
  double spread() const { return rounded(options.spread.value_or(0)); }
  double rounded(double number) const { return is_double() ? number : static_cast<double>(static_cast<float>(number)); }
  /// Whether replaced vectors are kept.
  bool has_archive() const { return settings.archive != 0; }
  /// Where a problem stands at first: the initial vectors are evaluated.
  State first_state(std::size_t k) const {
    return {static_cast<std::uint32_t>(k), EVOLUTION_RUNNING, 0, 0, settings.population, 0, settings.population};
  }
  bool needs_best() const { return shared::evolution_needs_best(settings.strategy) != 0; }
  /// Whether the individuals of a population are ranked each generation.
  bool needs_order() const {
    return settings.strategy == EVOLUTION_CURRENT_TO_PBEST_1 || settings.adapt == EVOLUTION_LSHADE;
  }
  /// Whether F and CR are drawn around those that were of use.
  bool remembers() const { return shared::evolution_remembers(settings.adapt) != 0; }
  /// Whether the least or the greatest value of a population is asked for each generation.
  bool needs_extremes() const { return needs_best() || (settings.stop & EVOLUTION_STOP_SPREAD) != 0; }
  /// Whether the values of a population must be looked at together each generation.
  bool needs_lead() const { return needs_extremes() || needs_order() || remembers(); }
};

/// \throws InvalidInput, as solve() says.
Plan make_plan(const Problem& problem, const Options& options, const RunControl& control);

}  // namespace clopt::differential_evolution
