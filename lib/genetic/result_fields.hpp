/// \file
/// A result as slices keep it.
#pragma once

#include <clopt/genetic.hpp>
#include <run/record_fields.hpp>

namespace clopt::genetic {

/// All but the population and its values.
template <class Archive>
void fields(Archive& archive, Result& result) {
  archive("run", static_cast<RunResult&>(result))("fitness", result.fitness)("feasible", result.feasible);
  archive("violation", result.violation)("best", result.genes)("generations", result.generations);
  archive("evaluations", result.evaluations)("individuals_per_group", result.individuals_per_group);
  archive("island_fitness", result.island_fitness);
  if (has_member(archive, "restarts")) archive("restarts", result.restarts);
}

}  // namespace clopt::genetic
