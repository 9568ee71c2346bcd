#include "choice.hpp"

#include <fmt/format.h>

namespace clopt::differential_evolution {
namespace {

// Vectors that one work-group still brings through a generation sooner than launches over all of the device do, where
// problems are fewer than compute units.
constexpr std::uint32_t most_for_a_group = 4096;

}  // namespace

Choice choose_method(const Plan& plan, const Device& device) {
  if (plan.options.method != "auto") return {plan.options.method, "asked for"};
  const auto population = plan.settings.population;
  const bool few = plan.problem.problems < device.info().compute_units;
  if (device.info().launches_are_calls || population <= most_for_a_group || !few)
    return {"fused", "a work-group for each problem keeps its vectors to itself"};
  return {"merged", fmt::format("{} vectors of {} problems are more than {} work-groups should carry", population,
                                plan.problem.problems, plan.problem.problems)};
}

}  // namespace clopt::differential_evolution
