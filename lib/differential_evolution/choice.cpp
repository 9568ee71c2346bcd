#include "choice.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include "tuning.hpp"

namespace clopt::differential_evolution {

Choice choose_method(const Plan& plan, const Device& device) {
  if (needs_whole_generations(plan.problem.objective)) {
    if (plan.method != Method::automatic && plan.method != Method::staged)
      throw InvalidInput(
          fmt::format("the `method` {} evaluates vectors apart from each other, and '{}' is a batch function, which "
                      "takes a whole generation; choose staged or auto",
                      plan.options.method, plan.problem.objective.name()));
    return {Method::staged, "a batch function is evaluated in a launch of its own"};
  }
  if (plan.method != Method::automatic) return {plan.method, "asked for"};
  const auto population = plan.settings.population;
  const bool few = plan.problem.problems < device.info().compute_units;
  // Where problems are as many as compute units, merged has no more work-groups at work than fused.
  if (device.info().launches_are_calls || population <= most_for_a_group(device) || !few)
    return {Method::fused, "a work-group for each problem keeps its vectors to itself"};
  return {Method::merged, fmt::format("{} vectors of {} problems are more than {} work-groups should carry", population,
                                      plan.problem.problems, plan.problem.problems)};
}

}  // namespace clopt::differential_evolution
