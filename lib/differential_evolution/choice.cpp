#include "choice.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include "tuning.hpp"

namespace clopt::differential_evolution {
Choice choose_method(const Plan& plan, const Device& device) {
  const auto& objective = plan.problem.objective;
  if (objective.is_batch_function() && plan.options.method != "auto" && plan.options.method != "staged")
    throw InvalidInput(fmt::format(
        "differential evolution: `method` is {}, which evaluates vectors apart from each other, and '{}' is a "
        "batch function, which takes a whole generation; choose staged or auto",
        plan.options.method, objective.name()));
  if (plan.options.method != "auto") return {plan.options.method, "asked for"};
  if (objective.is_batch_function()) return {"staged", "a batch function is evaluated in a launch of its own"};
  const auto population = plan.settings.population;
  const bool few = plan.problem.problems < device.info().compute_units;
  // Where problems are as many as compute units, merged has no more work-groups at work than fused.
  if (device.info().launches_are_calls || population <= most_for_a_group(device) || !few)
    return {"fused", "a work-group for each problem keeps its vectors to itself"};
  return {"merged", fmt::format("{} vectors of {} problems are more than {} work-groups should carry", population,
                                plan.problem.problems, plan.problem.problems)};
}

}  // namespace clopt::differential_evolution
