/// \file
/// A result as slices and messages keep it.
#pragma once

#include <clopt/differential_evolution.hpp>
#include <run/record_fields.hpp>

namespace clopt::differential_evolution {

template <class Archive>
void fields(Archive& archive, Result& result) {
  archive("run", static_cast<RunResult&>(result))("values", result.values)("parameters", result.parameters);
  archive("generations", result.generations)("stops", result.stops)("invalid", result.invalid);
  archive("violations", result.violations)("feasible", result.feasible)("best", result.best);
  archive("solved", result.solved)("total_generations", result.total_generations);
  archive("total_evaluations", result.total_evaluations)("population", result.population);
  archive("polish", result.polish)("polished", result.polished)("polish_evaluations", result.polish_evaluations);
  archive("converged", result.converged)("errors", result.errors)("chi_squared", result.chi_squared);
  archive("digests", result.digests)("best_cost", result.best_cost)("maximised", result.maximised);
}

}  // namespace clopt::differential_evolution
