#include "report.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <frame/options/common_options.hpp>
#include <frame/options/mpi_job.hpp>
#include <frame/status.hpp>
#include "output_table.hpp"

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

std::string best_text(const Facts& facts, const solver::Result& result) {
  const auto parameters = vector_of(result, result.best, facts.dimensions);
  const auto shown = std::min(parameters.size(), parameters_shown);
  auto text = fmt::format("best      {:.9g}{}\n", result.values[result.best],
                          facts.problems > 1 ? fmt::format(" (problem {})", result.best) : "");
  text +=
      fmt::format("at        {:.6g}{}\n",
                  fmt::join(parameters.begin(), parameters.begin() + static_cast<std::ptrdiff_t>(shown), " "),
                  shown < parameters.size() ? fmt::format(" ... ({} more: --json)", parameters.size() - shown) : "");
  if (!result.errors.empty()) {
    const auto errors = result.errors.begin() + static_cast<std::ptrdiff_t>(result.best * facts.dimensions);
    text += fmt::format("errors    {:.3g}\n", fmt::join(errors, errors + static_cast<std::ptrdiff_t>(shown), " "));
  }
  if (!result.violations.empty() && result.violations[result.best] != 0)
    text += fmt::format("violation {:.6g}: no vector was found that keeps all constraints\n",
                        result.violations[result.best]);
  return text;
}

// How the values of many problems lie.
std::string spread_text(const Facts& facts, const solver::Result& result) {
  const bool is_constrained = !result.violations.empty();
  std::string text;
  if (is_constrained) text += fmt::format("feasible  {} of {} problems\n", result.feasible, facts.problems);
  std::vector<double> sorted;
  for (std::size_t k = 0; k < result.values.size(); ++k)
    if (!is_constrained || result.violations[k] == 0) sorted.push_back(result.values[k]);
  if (sorted.empty()) sorted.push_back(std::numeric_limits<double>::infinity());
  std::sort(sorted.begin(), sorted.end());
  const auto median = std::midpoint(sorted[(sorted.size() - 1) / 2], sorted[sorted.size() / 2]);
  return text + fmt::format("problems  {}: median {:.6g}, worst {:.6g}\n", sorted.size(), median, sorted.back());
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

Json to_json(const Facts& facts) {
  return {{"objective", facts.objective},
          {"dimensions", facts.dimensions},
          {"problems", facts.problems},
          {"columns", facts.columns},
          {"precision", facts.precision},
          {"strategy", facts.strategy},
          {"adapt", facts.adapt},
          {"seed", facts.seed},
          {"target", facts.target ? Json(*facts.target) : Json(nullptr)},
          {"is_fit", facts.is_fit}};
}

Facts facts_of(const Json& json) {
  Facts facts;
  json.at("objective").get_to(facts.objective);
  json.at("dimensions").get_to(facts.dimensions);
  json.at("problems").get_to(facts.problems);
  json.at("columns").get_to(facts.columns);
  json.at("precision").get_to(facts.precision);
  json.at("strategy").get_to(facts.strategy);
  json.at("adapt").get_to(facts.adapt);
  json.at("seed").get_to(facts.seed);
  json.at("is_fit").get_to(facts.is_fit);
  if (const auto& target = json.at("target"); !target.is_null()) facts.target = target.get<double>();
  return facts;
}

void require_values(const Facts& facts, const solver::Result& result) {
  const auto searched = result.total_evaluations - result.polish_evaluations;
  const bool has_value =
      std::any_of(result.values.begin(), result.values.end(), [](double v) { return std::isfinite(v); });
  if (result.interrupted() || has_value || searched == 0 || invalid_of(result) < searched) return;
  const bool reads_columns = facts.columns != 0 && !facts.is_fit;
  throw InvalidInput(fmt::format(
      "none of the {} values of the objective {} is a number, so there is no answer{}", result.total_evaluations,
      facts.objective,
      reads_columns ? fmt::format("; a row of the data has {0} {1}, and row(x, j) with j from {0} on is NaN",
                                  facts.columns, facts.columns == 1 ? "column" : "columns")
                    : "; check its bounds (--lower, --upper), and logarithms and roots of negative numbers"));
}

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json to_json(const Report& report) {
  const auto& result = report.result;
  const auto& facts = report.facts;
  auto object = result_head("differential-evolution", report.devices, result.method, facts.seed);
  object["objective"] = facts.objective;
  object["dimensions"] = facts.dimensions;
  object["population"] = result.population;
  object["problems"] = facts.problems;
  object["precision"] = facts.precision;
  object["strategy"] = facts.strategy;
  object["adapt"] = facts.adapt;
  object["reason"] = result.reason;
  object["best"] = {{"problem", result.best},
                    {"value", number_json(result.values[result.best])},
                    {"parameters", vector_of(result, result.best, facts.dimensions)}};
  if (!result.errors.empty()) object["best"]["errors"] = errors_json(result, facts.dimensions);
  auto& values = object["values"] = Json::array();
  for (const double value : result.values) values.push_back(number_json(value));
  if (!result.violations.empty()) {
    const double violation = result.violations[result.best];
    object["feasible"] = violation == 0;
    object["violation"] = number_json(violation);
    object["feasible_problems"] = result.feasible;
    auto& violations = object["violations"] = Json::array();
    for (const double each : result.violations) violations.push_back(number_json(each));
  }
  object["solved"] = result.solved;
  object["generations"] = result.total_generations;
  if (report.resumed_generation) object["resumed_generation"] = *report.resumed_generation;
  object["evaluations"] = result.total_evaluations;
  object["invalid"] = invalid_of(result);
  object["polish"] = polish_json(result);
  object["interrupted"] = result.interrupted();
  if (!result.failures.empty()) object["failures"] = result.failures;
  object["launches"] = result.launches;
  object["seconds"] = {{"total", result.seconds.total},
                       {"compute", result.seconds.compute},
                       {"open", report.open_seconds},
                       {"build", result.seconds.build}};
  add_result_end(object, result);
  return object;
}

std::string to_text(const Report& report) {
  const auto& result = report.result;
  const auto& facts = report.facts;
  auto text = best_text(facts, result);
  if (facts.problems > 1) text += spread_text(facts, result);
  if (result.polish != "none") text += polish_text(result);
  if (facts.target) text += fmt::format("solved    {} of {}\n", result.solved, facts.problems);
  if (const auto invalid = invalid_of(result); invalid != 0)
    text += fmt::format("invalid   {} values were no numbers, and counted as the worst\n", invalid);
  if (!result.unchecked.empty()) text += fmt::format("unchecked {}\n", result.unchecked);
  for (const auto& failure : result.failures) text += fmt::format("failed    {}; others did its work\n", failure);
  text +=
      fmt::format("work      {} generations, {} evaluations{}{}\n", result.total_generations, result.total_evaluations,
                  rate_text(result.total_evaluations, result.seconds.compute), time_limit_text(result));
  text += fmt::format("method    {} ({})\n", result.method, result.reason);
  for (const auto& device : report.devices) text += fmt::format("device    {} ({})\n", device.id, device.name);
  text += cluster_text(result);
  text += fmt::format("time      {} ({} computing); opening devices {}, building kernels {}\n",
                      readable_seconds(result.seconds.total), readable_seconds(result.seconds.compute),
                      readable_seconds(report.open_seconds), readable_seconds(result.seconds.build));
  text += fmt::format("checksum  {}\n", hexadecimal(result.checksum));
  return text;
}

int status_of(const Report& report) {
  const auto& result = report.result;
  const auto problems = report.facts.problems;
  if (result.interrupted()) return Status::interrupted;
  if (report.facts.target && result.solved < problems) return Status::not_reached;
  if (result.feasible < problems) return Status::not_reached;
  return Status::done;
}

}  // namespace clopt::apps::differential_evolution
