/// \file
/// Statistics of a run's generations.
#pragma once

#include <clopt/differential_evolution.hpp>

#include <cstdint>
#include <span>
#include <vector>

#include "plan.hpp"

namespace clopt::differential_evolution {

/// What statistics need of a piece.
struct StatisticsRow {
  std::vector<State> states;        ///< with the evaluations up to the last generation that was told
  std::vector<double> best_values;  ///< of that generation
  std::vector<double> least;        ///< of the launch, a generation after the other

  /// Goes on to the next generation, the \p n th of the launch.
  void take_generation(const Plan& plan, std::uint32_t generation, std::size_t n);
};

/// Statistics of the generation that all rows stand at.
Statistics statistics_of(const Plan& plan, std::span<const StatisticsRow> rows, std::uint32_t generation);

}  // namespace clopt::differential_evolution
