#include "method_choice.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <differential_evolution/launch/pacing.hpp>
#include "tuning.hpp"

namespace clopt::differential_evolution {

namespace {

// Whether a device ends the loops of a fused generation before they are done.
bool cuts_fused_loops(const Plan& plan, const Device& device) {
  return fused_steps(plan) > safe_steps && !device.has_long_loops();
}

// Where one call of the objective takes a generation of all problems, `fused` holds what all of them work with at once.
constexpr double most_numbers_together = 1 << 23;
double numbers_together(const Plan& plan) {
  return static_cast<double>(plan.whole_problems) * plan.settings.population * plan.settings.dimensions;
}

}  // namespace

MethodChoice choose_method(const Plan& plan, const Device& device) {
  if (needs_whole_generations(plan.objective)) {
    if (plan.method == Method::merged || plan.method == Method::offloaded)
      throw InvalidInput(
          fmt::format("the `method` {} evaluates vectors apart from each other, and '{}' is a batch function, which "
                      "takes a whole generation; choose fused, staged, ahead or auto",
                      method_names.of(plan.method), plan.objective.name()));
    if (plan.method != Method::automatic) return {plan.method, "asked for"};
    if (numbers_together(plan) <= most_numbers_together)
      return {Method::fused, "the trials of all problems have room beside them"};
    return {Method::staged,
            fmt::format("the trials of {} problems are too many to be held twice", plan.whole_problems)};
  }
  if (plan.method == Method::fused && cuts_fused_loops(plan, device))
    throw InvalidInput(fmt::format(
        "the `method` fused loops over {} vectors of {} numbers, which is more than the {} "
        "steps that {} ({}) takes right; choose merged, staged or auto",
        plan.settings.population, plan.settings.dimensions, safe_steps, device.info().id, device.info().name));
  if (plan.method != Method::automatic) return {plan.method, "asked for"};
  const auto population = plan.settings.population;
  if (cuts_fused_loops(plan, device))
    return {Method::merged, fmt::format("{} cuts loops as long as those of fused would be", device.info().id)};
  const bool few = plan.whole_problems < device.info().compute_units;
  // Where problems are as many as compute units, merged has no more work-groups at work than fused.
  if (device.info().launches_are_calls || population <= most_for_a_group(device) || !few)
    return {Method::fused, "a work-group for each problem keeps its vectors to itself"};
  return {Method::merged, fmt::format("{} vectors of {} problems are more than {} work-groups should carry", population,
                                      plan.whole_problems, plan.whole_problems)};
}

}  // namespace clopt::differential_evolution
