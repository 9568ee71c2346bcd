/// \file
/// What the result of a run depends on.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "plan.hpp"

namespace clopt::differential_evolution {
namespace {

// A bound of all parameters, or those of each.
void add_bounds(RunIdentity& identity, const char* name, std::span<const double> bounds) {
  if (std::all_of(bounds.begin(), bounds.end(), [&](double bound) { return bound == bounds.front(); }))
    identity.add(name, bounds.front());
  else
    identity.add_data(name, bounds);
}

std::string text_of(const std::optional<std::uint64_t>& limit) { return limit ? std::to_string(*limit) : "none"; }

}  // namespace

RunIdentity identity_of(const Plan& plan) {
  const auto& problem = plan.problem;
  const auto& options = plan.options;
  const std::span<const double> bounds(plan.bounds);
  RunIdentity identity("differential-evolution");
  // The direction first: the objective's hash differs with it, and would be the less plain difference.
  identity.add("direction", std::string_view(plan.maximises() ? "maximise" : "minimise"))
      .add("objective", problem.objective)
      .add("dimensions", problem.dimensions)
      .add("problems", problem.problems)
      .add("columns", problem.columns)
      .add_data("data", problem.data);
  if (!problem.abscissa.empty()) identity.add_data("abscissa", problem.abscissa);
  if (!problem.sigma.empty()) identity.add_data("sigma", problem.sigma);
  add_bounds(identity, "lower", bounds.first(problem.dimensions));
  add_bounds(identity, "upper", bounds.last(problem.dimensions));
  add_fields(identity, complete(problem, options), complete(problem, {}));
  if (options.range)
    identity.add("range", std::string_view(
                              fmt::format("{} from {} on, of {}", problem.problems, plan.first, plan.whole_problems)));
  if (plan.polishes) identity.add("polish", std::string_view("yes"));
  if (plan.restarts) identity.add("restarts", std::string_view("yes"));
  if (!plan.whole.empty()) identity.add_data("integer", plan.whole);
  if (!options.initial.empty())
    identity.add_data("initial", options.initial).add("initial_of_problem", options.initial_of_problem);
  if (plan.settings.adapt != EVOLUTION_LSHADE) return identity;
  // The population shrinks over these.
  identity.add("evaluations", std::string_view(text_of(options.evaluations)));
  if (!options.evaluations) identity.add("generations", plan.settings.shrinks_until);
  return identity;
}

}  // namespace clopt::differential_evolution
