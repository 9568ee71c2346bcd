#include "report.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include <frame/options/field_options.hpp>
#include <frame/options/shard_options.hpp>
#include <frame/status.hpp>
#include "output_table.hpp"
#include "solver.hpp"

namespace clopt::apps::differential_evolution {
namespace {

namespace solver = clopt::differential_evolution;

constexpr std::size_t parameters_shown = 12;

std::uint64_t invalid_of(const solver::Result& result) {
  return std::accumulate(result.invalid.begin(), result.invalid.end(), std::uint64_t{0});
}

std::uint64_t converged_of(const solver::Result& result) {
  return std::accumulate(result.converged.begin(), result.converged.end(), std::uint64_t{0});
}

Json polish_json(const solver::Result& result) {
  if (result.polish == "none") return nullptr;
  return {{"method", result.polish},
          {"improved", result.polished},
          {"converged", converged_of(result)},
          {"evaluations", result.polish_evaluations}};
}

Json errors_json(const solver::Result& result, std::size_t dimensions) {
  auto errors = Json::array();
  for (std::size_t j = 0; j < dimensions; ++j)
    errors.push_back(number_json(result.errors[result.best * dimensions + j]));
  return errors;
}

// A local search that had nothing left to work with did not run.
std::string polish_text(const solver::Result& result) {
  if (result.polish_evaluations != 0)
    return fmt::format("polished  {} by {}: {} better, {} converged\n", result.values.size(), result.polish,
                       result.polished, converged_of(result));
  const auto* reason = result.interrupted()            ? "the run was interrupted"
                       : result.ending == Ending::time ? "no time was left"
                                                       : "too few evaluations were left";
  return fmt::format("polished  none by {}: {}\n", result.polish, reason);
}

}  // namespace

Facts facts_of(const solver::Problem& problem, const solver::Options& options) {
  return {problem.objective.name(), problem.dimensions, problem.problems, problem.columns, options.precision,
          options.strategy,         options.adapt,      options.seed,     options.target,  problem.objective.is_fit()};
}

FieldTable fields(Facts& facts) {
  FieldTable table;
  table("objective", &facts.objective);
  table("dimensions", &facts.dimensions);
  table("problems", &facts.problems);
  table("columns", &facts.columns);
  table("precision", &facts.precision);
  table("strategy", &facts.strategy);
  table("adapt", &facts.adapt);
  table("seed", &facts.seed);
  table("target", &facts.target);
  table("is_fit", &facts.is_fit);
  return table;
}

Report::Report(Facts facts, solver::Result result, std::optional<std::uint64_t> resumed_generation)
    : RunReport("differential-evolution", facts.seed),
      facts_(std::move(facts)),
      result_(std::move(result)),
      resumed_generation_(resumed_generation) {
  require_values();
}

Report::Report(Facts facts, const solver::Runs& runs) : Report(std::move(facts), best_of(runs)) {
  seed_ = runs.trials[runs.best].seed;
  const bool has_target = facts_.target.has_value();
  table = RunsTable{solver::outcomes_of(runs), runs.maximised, has_target, has_target, "value", &number_json};
}

// A search among no values at all has no answer.
void Report::require_values() const {
  const auto searched = result_.total_evaluations - result_.polish_evaluations;
  const bool has_value =
      std::any_of(result_.values.begin(), result_.values.end(), [](double v) { return std::isfinite(v); });
  if (result_.interrupted() || has_value || searched == 0 || invalid_of(result_) < searched) return;
  const bool reads_columns = facts_.columns != 0 && !facts_.is_fit;
  throw InvalidInput(fmt::format(
      "none of the {} values of the objective {} is a number, so there is no answer{}", result_.total_evaluations,
      facts_.objective,
      reads_columns ? fmt::format("; a row of the data has {0} {1}, and row(x, j) with j from {0} on is NaN",
                                  facts_.columns, facts_.columns == 1 ? "column" : "columns")
                    : "; check its bounds (--lower, --upper), and logarithms and roots of negative numbers"));
}

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// An infeasible vector need not have one.
bool Report::has_value() const {
  const bool is_infeasible = !result_.violations.empty() && result_.violations[result_.best] != 0;
  return is_infeasible || std::isfinite(result_.values[result_.best]);
}

std::vector<double> Report::best_vector() const { return vector_of(result_, result_.best, facts_.dimensions); }

std::string Report::best_text() const {
  const auto parameters = best_vector();
  const auto shown = std::min(parameters.size(), parameters_shown);
  auto text = fmt::format("best      {:.9g}{}{}\n", result_.values[result_.best],
                          facts_.problems == 1  ? ""
                          : facts_.columns != 0 ? fmt::format(" (row {})", result_.best + 1)
                                                : fmt::format(" (problem {})", result_.best),
                          table ? fmt::format(" (seed {})", seed_) : "");
  if (!has_value())
    text += "          that is not a finite number: check the objective and its bounds (--lower, --upper)\n";
  text += fmt::format("at        {:.6g}{}\n", fmt::join(std::span(parameters).first(shown), " "),
                      rest_text(parameters.size() - shown));
  if (!result_.errors.empty()) {
    const auto errors = result_.errors.begin() + static_cast<std::ptrdiff_t>(result_.best * facts_.dimensions);
    text += fmt::format("errors    {:.3g}\n", fmt::join(errors, errors + static_cast<std::ptrdiff_t>(shown), " "));
  }
  if (!result_.violations.empty() && result_.violations[result_.best] != 0)
    text += fmt::format("violation {:.6g}: no vector was found that keeps all constraints\n",
                        result_.violations[result_.best]);
  return text;
}

// How the values of many problems lie.
std::string Report::spread_text() const {
  const bool is_constrained = !result_.violations.empty();
  std::string text;
  if (is_constrained) text += fmt::format("feasible  {} of {} problems\n", result_.feasible, facts_.problems);
  std::vector<double> sorted;
  for (std::size_t k = 0; k < result_.values.size(); ++k)
    if (!is_constrained || result_.violations[k] == 0) sorted.push_back(result_.values[k]);
  if (sorted.empty()) sorted.push_back(std::numeric_limits<double>::infinity());
  std::sort(sorted.begin(), sorted.end());
  // Of maximised objectives the best is the largest.
  if (result_.values[result_.best] > sorted.front()) std::reverse(sorted.begin(), sorted.end());
  const auto median = std::midpoint(sorted[(sorted.size() - 1) / 2], sorted[sorted.size() / 2]);
  return text + fmt::format("problems  {}: median {:.6g}, worst {:.6g}\n", sorted.size(), median, sorted.back());
}

void Report::add_fields(Json& object) const {
  object["objective"] = facts_.objective;
  object["dimensions"] = facts_.dimensions;
  object["population"] = result_.population;
  object["problems"] = facts_.problems;
  object["precision"] = facts_.precision;
  object["strategy"] = facts_.strategy;
  object["adapt"] = facts_.adapt;
  object["reason"] = result_.reason;
  object["best"] = {
      {"problem", result_.best}, {"value", number_json(result_.values[result_.best])}, {"parameters", best_vector()}};
  if (!result_.errors.empty()) object["best"]["errors"] = errors_json(result_, facts_.dimensions);
  auto& values = object["values"] = Json::array();
  for (const double value : result_.values) values.push_back(number_json(value));
  if (!result_.violations.empty()) {
    const double violation = result_.violations[result_.best];
    object["feasible"] = violation == 0;
    object["violation"] = number_json(violation);
    object["feasible_problems"] = result_.feasible;
    auto& violations = object["violations"] = Json::array();
    for (const double each : result_.violations) violations.push_back(number_json(each));
  }
  object["solved"] = result_.solved;
  object["generations"] = result_.total_generations;
  if (resumed_generation_) object["resumed_generation"] = *resumed_generation_;
  object["evaluations"] = result_.total_evaluations;
  object["invalid"] = invalid_of(result_);
  object["polish"] = polish_json(result_);
  object["interrupted"] = result_.interrupted();
  object["launches"] = result_.launches;
}

std::string Report::answer_text() const {
  auto text = best_text();
  if (facts_.problems > 1) text += spread_text();
  if (result_.polish != "none") text += polish_text(result_);
  if (facts_.target) text += fmt::format("solved    {} of {}\n", result_.solved, facts_.problems);
  if (const auto invalid = invalid_of(result_); invalid != 0)
    text += fmt::format("invalid   {} values were not numbers, and counted as the worst\n", invalid);
  if (!result_.unchecked.empty()) text += fmt::format("unchecked {}\n", result_.unchecked);
  text += fmt::format("work      {} generations, {} evaluations{}{}\n", result_.total_generations,
                      result_.total_evaluations, rate_text(result_.total_evaluations, result_.seconds.compute),
                      time_limit_text(result_));
  text += fmt::format("method    {} ({})\n", result_.method, result_.reason);
  return text;
}

std::string Report::write(const std::string& file) const try {
  OutputTable table(file, facts_.dimensions, facts_.is_fit, !result_.violations.empty());
  table.write(result_);
  return table.failure();
} catch (const InvalidInput& error) {
  return error.what();
}

int Report::status() const {
  if (result_.interrupted()) return Status::interrupted;
  if (facts_.target && result_.solved < facts_.problems) return Status::not_reached;
  return result_.feasible < facts_.problems || !has_value() ? Status::not_reached : Status::done;
}

std::unique_ptr<RunReport> merge(const MergeOrder& order) {
  order.require_one_output("the table of all problems is one file");
  Facts facts;
  read_values(fields(facts), order.facts);
  if (are_runs(order.slices)) {
    auto several = results_of(order.slices, [&](const Record& record, std::uint64_t runs) {
      return solver::unpack_runs(record, runs, facts.dimensions);
    });
    return std::make_unique<Report>(facts, solver::merge(std::move(several)));
  }
  auto parts = results_of(order.slices, [&](const Record& record, std::uint64_t problems) {
    return solver::unpack(record, problems, facts.dimensions);
  });
  auto result = solver::merge(std::move(parts));
  if (result.values.size() != facts.problems)
    throw InvalidInput("the slices do not have the number of problems that they state");
  return std::make_unique<Report>(facts, std::move(result));
}

}  // namespace clopt::apps::differential_evolution
