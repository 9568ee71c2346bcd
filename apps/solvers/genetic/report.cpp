#include "report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include <frame/options/field_options.hpp>
#include <frame/options/mpi_job.hpp>
#include <frame/run/run_files.hpp>

namespace clopt::apps::genetic {
namespace {

namespace solver = clopt::genetic;

constexpr std::size_t genes_shown = 20;

bool reached_target(const solver::Result& result) { return result.ending == Ending::target; }

Json genes_json(const Report& report) {
  if (report.facts.kind == GeneKind::reals) return report.result.genes;
  Json genes = Json::array();
  for (const double gene : report.result.genes) genes.push_back(static_cast<std::int64_t>(gene));
  return genes;
}

bool has_value(const Report& report) { return !report.result.feasible || std::isfinite(report.result.fitness); }

Json value_json(const Report& report) {
  // NaN for an infeasible individual that could not be evaluated again.
  if (!std::isfinite(report.result.fitness)) return nullptr;
  if (report.facts.has_whole_values) return static_cast<std::int64_t>(report.result.fitness);
  return report.result.fitness;
}

std::string genes_text(const Report& report) {
  const auto& genes = report.result.genes;
  const auto shown = std::min(genes.size(), genes_shown);
  auto text = fmt::format("{:.6g}", fmt::join(genes.begin(), genes.begin() + static_cast<std::ptrdiff_t>(shown), " "));
  if (shown < genes.size()) text += fmt::format(" ... ({} more: --json)", genes.size() - shown);
  return text;
}

std::string preset_text(const Json& settings) {
  const auto name = [&](const char* field) { return settings.at(field).get<std::string>(); };
  const auto number = [&](const char* field) { return settings.at(field).get<std::uint64_t>(); };
  const auto restart = number("restart");
  const auto improve = name("improve");
  return fmt::format("preset    {}: {} individuals, {} selection, {} crossover, {} mutation, {} elites{}{}\n",
                     name("preset"), number("population"), name("selection"), name("crossover_kind"),
                     name("mutation_kind"), number("elites"),
                     restart == 0 ? "" : fmt::format(", restart after {} generations", restart),
                     improve == "none" ? "" : ", " + improve);
}

std::optional<double> optional_number(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

}  // namespace

Facts facts_of(const Run& run) {
  const auto& objective = run.problem.objective;
  Facts facts;
  facts.objective = objective.name();
  facts.kind = objective.kind();
  facts.genes = run.problem.genes;
  facts.seed = run.common.seed;
  facts.settings = settings_json(fields_of(run.options));
  facts.has_whole_values =
      (objective.form() == ObjectiveForm::count || objective.form() == ObjectiveForm::word) && !objective.has_finish();
  facts.is_constrained = objective.has_violation();
  facts.optimum = objective.optimum();
  facts.target = run.options.target;
  facts.resumed_generation = resumed_generation(run.resumed);
  return facts;
}

Json to_json(const Facts& facts) {
  return {{"objective", facts.objective},
          {"kind", static_cast<int>(facts.kind)},
          {"genes", facts.genes},
          {"seed", facts.seed},
          {"settings", facts.settings},
          {"has_whole_values", facts.has_whole_values},
          {"is_constrained", facts.is_constrained},
          {"optimum", facts.optimum ? Json(*facts.optimum) : Json(nullptr)}};
}

Facts facts_of(const Json& json) {
  Facts facts;
  json.at("objective").get_to(facts.objective);
  facts.kind = static_cast<GeneKind>(json.at("kind").get<int>());
  json.at("genes").get_to(facts.genes);
  json.at("seed").get_to(facts.seed);
  facts.settings = json.at("settings");
  json.at("has_whole_values").get_to(facts.has_whole_values);
  json.at("is_constrained").get_to(facts.is_constrained);
  facts.optimum = optional_number(json.at("optimum"));
  return facts;
}

Json to_json(const Report& report) {
  const auto& [facts, result, devices, open_seconds] = report;
  auto object = result_head("genetic", devices, result.method, facts.seed);
  object["objective"] = facts.objective;
  object["genes"] = facts.genes;
  object["population"] = facts.settings.at("population");
  object["settings"] = facts.settings;
  object["best"] = {{"fitness", value_json(report)}, {"genes", genes_json(report)}};
  if (facts.is_constrained) {
    object["feasible"] = result.feasible;
    object["violation"] = std::isfinite(result.violation) ? Json(result.violation) : Json(nullptr);
  }
  object["generations"] = result.generations;
  object["restarts"] = result.restarts;
  if (facts.resumed_generation) object["resumed_generation"] = *facts.resumed_generation;
  object["evaluations"] = result.evaluations;
  if (facts.optimum) object["optimum"] = *facts.optimum;
  if (facts.target) object["target_reached"] = reached_target(result);
  object["interrupted"] = result.interrupted();
  if (result.island_fitness.size() > 1) object["island_fitness"] = result.island_fitness;
  object["granularity"] = result.method;
  object["individuals_per_group"] = result.individuals_per_group;
  object["reason"] = result.reason;
  object["launches"] = result.launches;
  for (const auto& [stage, seconds] : result.stages) object["stages"][stage] = seconds;
  object["seconds"] = {{"total", result.seconds.total},
                       {"compute", result.seconds.compute},
                       {"open", open_seconds},
                       {"build", result.seconds.build}};
  add_result_end(object, result);
  return object;
}

std::string to_text(const Report& report) {
  const auto& [facts, result, devices, open_seconds] = report;
  std::string text = fmt::format("best      {} ({})\n", value_json(report).dump(), facts.objective);
  if (!has_value(report))
    text += "          no value was a finite number: check the objective's bounds (--lower, --upper)\n";
  if (!result.feasible)
    text += fmt::format("violation {:.6g}: no individual was found that keeps all constraints\n", result.violation);
  text += fmt::format("genes     {}\n", genes_text(report));
  text += fmt::format(
      "run       {} generations, {}{} evaluations{}{}{}{}\n", result.generations,
      result.restarts == 0 ? "" : fmt::format("{} restart{}, ", result.restarts, result.restarts == 1 ? "" : "s"),
      result.evaluations, rate_text(result.evaluations, result.seconds.compute),
      // An interrupt is reported by the program itself.
      result.interrupted() ? std::string() : fmt::format("; ended by {}", name_of(result.ending)),
      facts.resumed_generation == result.generations ? ", which the checkpoint had reached already" : "",
      facts.target && !reached_target(result) ? "; the target was not reached" : "");
  text += preset_text(facts.settings);
  if (!result.unchecked.empty()) text += fmt::format("unchecked {}\n", result.unchecked);
  text += fmt::format("method    {}, {} individuals a group{}\n", result.method, result.individuals_per_group,
                      result.reason.empty() ? "" : fmt::format(" ({})", result.reason));
  for (const auto& device : devices) text += fmt::format("device    {} ({})\n", device.id, device.name);
  text += cluster_text(result);
  for (const auto& [stage, seconds] : result.stages)
    text += fmt::format("stage     {:<12} {}\n", stage, readable_seconds(seconds));
  text += fmt::format(
      "time      {} ({} computing); opening the device {}, "
      "building kernels {}\n",
      readable_seconds(result.seconds.total), readable_seconds(result.seconds.compute), readable_seconds(open_seconds),
      readable_seconds(result.seconds.build));
  text += fmt::format("checksum  {}\n", hexadecimal(result.checksum));
  return text;
}

int status_of(const Report& report) {
  const auto& result = report.result;
  if (result.interrupted()) return Status::interrupted;
  const bool missed = (report.facts.target && !reached_target(result)) || !has_value(report);
  return missed || !result.feasible ? Status::not_reached : Status::done;
}

std::string table_of_population(const Facts& facts, const solver::Result& result) {
  std::string table = facts.is_constrained ? "value,violation" : "value";
  for (std::uint32_t gene = 0; gene < facts.genes; ++gene) table += fmt::format(",gene{}", gene);
  table += '\n';
  const auto* genes = result.population.data();
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    table += fmt::format("{}", result.values[i]);
    if (facts.is_constrained) table += fmt::format(",{}", result.violations[i]);
    table += fmt::format(",{}\n", fmt::join(genes, genes + facts.genes, ","));
    genes += facts.genes;
  }
  return table;
}

}  // namespace clopt::apps::genetic
