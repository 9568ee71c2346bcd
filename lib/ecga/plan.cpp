#include "plan.hpp"

#include <clopt/ecga_sizing.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <objective/precision.hpp>

#include <ecga/problems/block_length.hpp>
#include <ecga/problems/builtin_problem.hpp>
#include <ecga/problems/parts.hpp>
#include "operations.hpp"

namespace clopt::ecga {
namespace {

void check_problem(const Problem& problem) {
  const auto& objective = problem.objective;
  const auto table = fields_of(problem);
  table.check();
  if (problem.length == 0) throw InvalidInput(table.at("length").refusal("0"));
  if (objective.kind() != GeneKind::bits)
    throw InvalidInput(fmt::format("the `objective` {} is one of {}; only bits are searched", objective.name(),
                                   name_of(objective.kind())));
  if (objective.has_violation())
    throw InvalidInput(
        fmt::format("the `objective` {} has a violation, and the model is of fitness alone; take the "
                    "genetic algorithm, or subtract a penalty from the fitness",
                    objective.name()));
  if (objective.reads_rows())
    throw InvalidInput(
        fmt::format("the `objective` {} reads row() or columns(), of which only differential "
                    "evolution has data; give it a table in their place",
                    objective.name()));
  if (objective.is_builtin() && objective.name() == "trap" && objective.table_values().empty())
    throw InvalidInput("the `objective` trap has no order; say trapK with K from 2 to 32");
  const auto order = block_length(objective);
  if (problem.length % order != 0)
    throw InvalidInput(fmt::format(
        "`length` is {}, which is not a multiple of {}, the order of {}{}; the nearest is {}", problem.length, order,
        objective.name(), order, std::max((problem.length + order / 2) / order, 1U) * order));
}

void check_options(const Options& options) {
  fields_of(options).check();
  if (options.population != 0 && options.tournament > options.population)
    throw InvalidInput(fmt::format("`tournament` is {}, and `population` has only {} individuals; choose a smaller one",
                                   options.tournament, options.population));
}

}  // namespace

std::string_view name_of(SearchMethod search) { return search_names.of(search); }
std::string_view name_of(Counting counting) { return counting_names.of(counting); }

bool maximises(const Problem& problem) {
  return problem.objective.is_builtin() || problem.objective.direction() != Direction::minimise;
}

std::string why_doubles(const Problem& problem) { return objective::why_doubles(problem.objective, problem.length); }

Plan make_plan(const Problem& problem, const Options& options) {
  Plan plan{problem,
            options,
            search_names.value(options.search, "search"),
            counting_names.value(options.counting, "counting"),
            improve_names.value(options.improve, "improve"),
            !maximises(problem)};
  check_problem(problem);
  check_options(options);
  if (precision_names.value(options.precision, "precision") == Precision::automatic)
    plan.options.precision = precision_names.of(why_doubles(problem).empty() ? Precision::float32 : Precision::float64);
  plan.is_double = plan.options.precision == precision_names.of(Precision::float64);
  if (plan.improve == Improve::automatic)
    plan.improve = parts_kind(problem.objective) ? Improve::blocks : Improve::none;
  plan.options.improve = improve_names.of(plan.improve);
  if (options.population == 0)
    plan.options.population =
        std::min(std::max<std::uint64_t>(usual_population(problem.length), options.tournament), most_individuals);
  return plan;
}

Options complete(const Problem& problem, const Options& options) { return make_plan(problem, options).options; }

void check(const Problem& problem, const Options& options) { make_plan(problem, options); }

RunIdentity Plan::identity() const {
  RunIdentity identity("ecga");
  // The objective's hash has the direction too: first, so that a message names it.
  identity.add("direction", std::string_view(minimises ? "minimise" : "maximise"))
      .add("objective", problem.objective)
      .add("length", problem.length);
  // Files of versions before these options are of floats, and improved nothing.
  Options usual;
  usual.improve = improve_names.of(Improve::none);
  usual.precision = precision_names.of(Precision::float32);
  add_fields(identity, options, usual);
  return identity;
}

}  // namespace clopt::ecga
