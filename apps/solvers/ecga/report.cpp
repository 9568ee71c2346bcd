#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <frame/options/mpi_job.hpp>
#include "models.hpp"

namespace clopt::apps::ecga {
namespace {

namespace solver = clopt::ecga;

constexpr std::size_t genes_shown = 64;
constexpr std::size_t groups_shown = 12;

bool is_as_good(const Facts& facts, double value, double other) {
  return facts.maximises ? value >= other : value <= other;
}

bool target_reached(const Facts& facts, const solver::Result& result) {
  return facts.target && is_as_good(facts, result.best_fitness, *facts.target);
}

bool succeeded(const Facts& facts, const solver::Result& result) {
  if (facts.target) return target_reached(facts, result);
  const auto optimum = facts.optimum;
  return optimum && is_as_good(facts, result.best_fitness, *optimum);
}

/// Why it was counted in this way, and what devices had no part in it.
std::string reason_of(const solver::Result& result) {
  if (result.failures.empty()) return result.reason;
  return fmt::format("{}; left out, while others counted their parts: {}", result.reason,
                     fmt::join(result.failures, "; "));
}

Json trials_json(const std::vector<solver::Trial>& trials) {
  Json rows = Json::array();
  for (const auto& trial : trials)
    rows.push_back({{"seed", trial.seed},
                    {"population", trial.population},
                    {"success", trial.success},
                    {"fitness", number_json(trial.result.best_fitness)},
                    {"generations", trial.result.generations},
                    {"evaluations", trial.result.evaluations},
                    {"seconds", trial.result.seconds.total},
                    {"checksum", hexadecimal(trial.result.checksum)}});
  return rows;
}

std::uint64_t successes(const std::vector<solver::Trial>& trials) {
  return static_cast<std::uint64_t>(
      std::count_if(trials.begin(), trials.end(), [](const solver::Trial& trial) { return trial.success; }));
}

/// Whether a run has ended with the generation that it may have at most.
bool limit_reached(const Facts& facts, const solver::Result& result) {
  if (!facts.is_one_run) return false;
  return facts.generations && result.generations >= *facts.generations;
}

std::string genes_text(const std::vector<std::uint8_t>& genes) {
  auto text = all_genes(genes).substr(0, genes_shown);
  if (genes.size() > genes_shown) text += fmt::format("... ({} more: --json)", genes.size() - genes_shown);
  return text;
}

std::string model_lines(const solver::Model& model) {
  auto shown = model;
  if (shown.size() > groups_shown) shown.resize(groups_shown);
  const auto left = model.size() - shown.size();
  return model_text(shown) + (left == 0 ? "" : fmt::format(" | ... ({} groups more: --json or --model FILE)", left));
}

/// Why a run has ended, where its values do not show it.
std::string ending_of(const Facts& facts, const solver::Result& result) {
  if (result.ending == Ending::time) return time_limit_text(result);
  if (facts.is_one_run && result.ending == Ending::evaluations) return "; the limit of evaluations was reached";
  if (facts.is_one_run && result.ending == Ending::stagnation)
    return fmt::format("; nothing got better in {} generations", *facts.stagnation);
  if (!limit_reached(facts, result)) return {};
  if (facts.resumed_generation == result.generations)
    return "; the checkpoint had reached the limit of generations (--generations gives another one)";
  return "; the limit of generations was reached";
}

template <class Number>
Json optional_json(const std::optional<Number>& number) {
  return number ? Json(*number) : Json(nullptr);
}

template <class Number>
void read_optional(const Json& json, const char* name, std::optional<Number>& number) {
  if (const auto& value = json.at(name); !value.is_null()) number = value.get<Number>();
}

}  // namespace

Facts facts_of(const Run& run) {
  return {run.objective,
          run.problem.length,
          run.common.seed,
          run.options.target,
          run.problem.objective.optimum(),
          solver::maximises(run.problem),
          run.sizing == Sizing::given && run.runs == 1,
          run.options.generations,
          run.options.stagnation,
          resumed_generation(run.resumed)};
}

Json to_json(const Facts& facts) {
  return {{"objective", facts.objective},
          {"length", facts.length},
          {"seed", facts.seed},
          {"target", optional_json(facts.target)},
          {"optimum", optional_json(facts.optimum)},
          {"maximises", facts.maximises},
          {"generations", optional_json(facts.generations)},
          {"stagnation", optional_json(facts.stagnation)}};
}

Facts facts_of(const Json& json) {
  Facts facts;
  json.at("objective").get_to(facts.objective);
  json.at("length").get_to(facts.length);
  json.at("seed").get_to(facts.seed);
  json.at("maximises").get_to(facts.maximises);
  read_optional(json, "target", facts.target);
  read_optional(json, "optimum", facts.optimum);
  read_optional(json, "generations", facts.generations);
  read_optional(json, "stagnation", facts.stagnation);
  facts.is_one_run = false;
  return facts;
}

Json number_json(double value) {
  if (std::abs(value) < 0x1p63 && value == static_cast<double>(static_cast<std::int64_t>(value)))
    return static_cast<std::int64_t>(value);
  return value;
}

std::string all_genes(const std::vector<std::uint8_t>& genes) {
  std::string text;
  for (const auto gene : genes) text += gene != 0 ? '1' : '0';
  return text;
}

Json to_json(const Report& report) {
  const auto& [facts, result, seed, population, trials, sizing, devices, open_seconds, total_seconds, interrupted] =
      report;
  auto object = result_head("ecga", devices, result.method, seed);
  object["objective"] = facts.objective;
  object["length"] = facts.length;
  object["population"] = population;
  object["search"] = result.search;
  object["counting"] = result.counting;
  // A search for a population may end before its first run.
  object["best"] = result.best_genes.empty()
                       ? Json()
                       : Json{{"fitness", number_json(result.best_fitness)}, {"genes", result.best_genes}};
  object["model"] = result.model;
  object["generations"] = result.generations;
  if (const auto resumed = facts.resumed_generation) object["resumed_generation"] = *resumed;
  object["evaluations"] = result.evaluations;
  object["converged"] = result.converged;
  object["limit_reached"] = limit_reached(facts, result);
  if (facts.target) object["target"] = number_json(*facts.target);
  if (facts.target) object["target_reached"] = target_reached(facts, result);
  if (facts.optimum) object["optimum"] = number_json(*facts.optimum);
  object["interrupted"] = interrupted;
  object["reason"] = reason_of(result);
  object["passes"] = result.passes;
  object["merges"] = result.merges;
  object["launches"] = result.launches;
  object["device_bytes"] = result.device_bytes;
  if (!trials.empty()) {
    object["runs"] = trials_json(trials);
    object["successes"] = successes(trials);
  }
  if (sizing)
    object["sizing"] = {{"population", sizing->population},
                        {"largest_failed", sizing->failed},
                        {"runs", sizing->runs},
                        {"evaluations", sizing->evaluations}};
  object["seconds"] = {{"total", trials.empty() ? result.seconds.total : total_seconds},
                       {"compute", result.seconds.compute},
                       {"model", result.model_seconds},
                       {"first_pass", result.first_pass_seconds},
                       {"open", open_seconds},
                       {"build", result.seconds.build}};
  add_result_end(object, result);
  return object;
}

std::string to_text(const Report& report) {
  const auto& [facts, result, seed, population, trials, sizing, devices, open_seconds, total_seconds, interrupted] =
      report;
  std::string text;
  if (sizing && sizing->population != 0)
    text += fmt::format("sizing    {} individuals are enough; {} runs, {} evaluations\n", sizing->population,
                        sizing->runs, sizing->evaluations);
  if (sizing && sizing->population == 0)
    text += fmt::format("sizing    no population was found in {} runs\n", sizing->runs);
  if (!trials.empty() && !sizing)
    text += fmt::format("runs      {} of {} succeeded\n", successes(trials), trials.size());
  text += fmt::format("best      {} ({}, {} loci{})\n",
                      result.best_genes.empty() ? "none" : number_json(result.best_fitness).dump(), facts.objective,
                      facts.length, trials.empty() ? "" : fmt::format(", seed {}", seed));
  text += fmt::format("genes     {}\n", genes_text(result.best_genes));
  if (!result.unchecked.empty()) text += fmt::format("unchecked {}\n", result.unchecked);
  text += fmt::format("model     {}\n", model_lines(result.model));
  const bool missed = facts.target && !target_reached(facts, result);
  text += fmt::format("run       {} individuals, {} generations, {} evaluations{}{}{}{}\n", population,
                      result.generations, result.evaluations, rate_text(result.evaluations, result.seconds.compute),
                      result.converged ? "; all individuals are equal" : "", ending_of(facts, result),
                      missed ? "; the target was not reached" : "");
  text += fmt::format("method    {} search, {} counting{}\n", result.search, result.counting,
                      fmt::format(" ({})", reason_of(result)));
  for (const auto& device : devices) text += fmt::format("device    {} ({})\n", device.id, device.name);
  text += cluster_text(result);
  text += fmt::format("time      {} ({} computing, {} of it for models); opening the device {}, building kernels {}\n",
                      readable_seconds(trials.empty() ? result.seconds.total : total_seconds),
                      readable_seconds(result.seconds.compute), readable_seconds(result.model_seconds),
                      readable_seconds(open_seconds), readable_seconds(result.seconds.build));
  text += fmt::format("checksum  {}\n", hexadecimal(result.checksum));
  return text;
}

int status_of(const Report& report) {
  if (report.interrupted) return Status::interrupted;
  if (report.sizing) return report.sizing->population == 0 ? Status::not_reached : Status::done;
  return report.facts.target && !target_reached(report.facts, report.result) ? Status::not_reached : Status::done;
}

void take(Report& report, const solver::Trial& trial) {
  const bool better = report.trials.empty() ||
                      !is_as_good(report.facts, report.result.best_fitness, trial.result.best_fitness) ||
                      (trial.success && !succeeded(report.facts, report.result));
  if (better) {
    report.result = trial.result;
    report.seed = trial.seed;
    report.population = trial.population;
  }
  report.trials.push_back(trial);
}

void take(Report& report, const solver::Runs& runs) {
  const auto& best = runs.trials.at(runs.best);
  report.result = best.result;
  report.seed = best.seed;
  report.population = best.population;
  report.trials = runs.trials;
  report.interrupted = runs.interrupted();
  report.total_seconds = runs.seconds.total;
  report.result.cluster = runs.cluster;
}

}  // namespace clopt::apps::ecga
