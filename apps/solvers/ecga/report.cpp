#include "report.hpp"

#include <clopt/detail/files.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include <frame/options/field_options.hpp>
#include <frame/options/shard_options.hpp>
#include <frame/status.hpp>
#include "models.hpp"
#include "solver.hpp"

namespace clopt::apps::ecga {
namespace {

namespace solver = clopt::ecga;

constexpr std::size_t genes_shown = 64;
constexpr std::size_t groups_shown = 12;

Json runs_json(const std::vector<solver::SizedRun>& runs) {
  Json rows = Json::array();
  for (const auto& run : runs)
    rows.push_back({{"seed", run.seed},
                    {"population", run.population},
                    {"success", run.success},
                    {"fitness", number_json(run.value)},
                    {"generations", run.generations},
                    {"evaluations", run.evaluations},
                    {"seconds", run.seconds},
                    {"checksum", hexadecimal(run.checksum)}});
  return rows;
}

Json trials_json(const std::vector<solver::Trial>& trials) {
  std::vector<solver::SizedRun> runs;
  runs.reserve(trials.size());
  for (const auto& [population, seed, success, result] : trials)
    runs.push_back({{seed, success, result.best_fitness, result.generations, result.evaluations, result.seconds.total,
                     result.checksum},
                    population});
  return runs_json(runs);
}

std::uint64_t successes(const std::vector<solver::Trial>& trials) {
  return static_cast<std::uint64_t>(
      std::count_if(trials.begin(), trials.end(), [](const solver::Trial& trial) { return trial.success; }));
}

// Zeros and ones.
std::string all_genes(const std::vector<std::uint8_t>& genes) {
  std::string text;
  for (const auto gene : genes) text += gene != 0 ? '1' : '0';
  return text;
}

// Groups of one locus state nothing.
std::string model_lines(const solver::Result& result) {
  solver::Model joined;
  for (const auto& group : result.model)
    if (group.size() > 1) joined.push_back(group);
  const auto alone = result.model.size() - joined.size();
  auto shown = joined;
  if (shown.size() > groups_shown) shown.resize(groups_shown);
  auto text = model_text(shown);
  if (const auto left = joined.size() - shown.size(); left != 0)
    text += fmt::format(" | ... ({} groups more: --json or --model FILE)", left);
  if (alone != 0) text += fmt::format("{}{} alone", joined.empty() ? "" : "; ", alone);
  return result.model.empty() ? "none" : fmt::format("{} (generation {})", text, result.model_generation);
}

}  // namespace

FieldTable fields(Facts& facts) {
  FieldTable table;
  table("objective", &facts.objective);
  table("length", &facts.length);
  table("seed", &facts.seed);
  table("target", &facts.target);
  table("optimum", &facts.optimum);
  table("maximises", &facts.maximises);
  table("generations", &facts.generations);
  table("stagnation", &facts.stagnation);
  return table;
}

Facts facts_of(const Search& search, const RunRequest& request) {
  return {search.objective,
          search.problem.length,
          search.options.seed,
          search.options.target,
          search.problem.objective.optimum(),
          solver::maximises(search.problem),
          search.is_one_run(),
          search.options.generations,
          search.options.stagnation,
          resumed_generation(request.resumed)};
}

Json number_json(double value) {
  if (std::abs(value) < 0x1p63 && value == static_cast<double>(static_cast<std::int64_t>(value)))
    return static_cast<std::int64_t>(value);
  return value;
}

bool Report::is_as_good(double value, double other) const { return facts_.maximises ? value >= other : value <= other; }

bool Report::reached_target() const { return facts_.target && is_as_good(result_.best_fitness, *facts_.target); }

bool Report::succeeded() const {
  if (facts_.target) return reached_target();
  return result_.optimal || (facts_.optimum && is_as_good(result_.best_fitness, *facts_.optimum));
}

// Only a weighted formula has values below 0, where a hard clause costs more than all others give.
bool Report::is_feasible() const { return !is_formula() || result_.best_genes.empty() || result_.best_fitness >= 0; }

bool Report::has_value() const { return result_.best_genes.empty() || std::isfinite(result_.best_fitness); }

// Whether the only run has ended with the generation that it may have at most.
bool Report::reached_limit() const {
  if (!facts_.is_one_run || !facts_.generations) return false;
  return result_.ending == Ending::generations || result_.generations >= *facts_.generations;
}

// Why the run has ended, where its values do not show it.
std::string Report::ending_text() const {
  if (result_.ending == Ending::time) return time_limit_text(result_);
  if (facts_.is_one_run && result_.ending == Ending::evaluations) return "; the limit of evaluations was reached";
  if (facts_.is_one_run && result_.ending == Ending::stagnation)
    return fmt::format("; nothing got better in {} generations", *facts_.stagnation);
  if (!reached_limit()) return {};
  if (facts_.resumed_generation == result_.generations)
    return "; the checkpoint had reached the limit of generations (--generations gives another one)";
  return "; the limit of generations was reached";
}

void Report::add_fields(Json& object) const {
  object["objective"] = facts_.objective;
  object["length"] = facts_.length;
  object["population"] = population_;
  object["search"] = result_.search;
  object["counting"] = result_.counting;
  // A search for a population may end before its first run.
  object["best"] = result_.best_genes.empty()
                       ? Json()
                       : Json{{"fitness", number_json(result_.best_fitness)}, {"genes", result_.best_genes}};
  if (is_formula()) object["feasible"] = is_feasible();
  object["model"] = result_.model;
  object["model_generation"] = result_.model_generation;
  object["generations"] = result_.generations;
  if (const auto resumed = facts_.resumed_generation) object["resumed_generation"] = *resumed;
  object["evaluations"] = result_.evaluations;
  object["converged"] = result_.converged;
  object["optimal"] = result_.optimal;
  object["limit_reached"] = reached_limit();
  if (facts_.target) object["target"] = number_json(*facts_.target);
  if (facts_.target) object["target_reached"] = reached_target();
  if (facts_.optimum) object["optimum"] = number_json(*facts_.optimum);
  object["interrupted"] = interrupted_;
  object["reason"] = result_.reason;
  object["passes"] = result_.passes;
  object["merges"] = result_.merges;
  object["launches"] = result_.launches;
  object["device_bytes"] = result_.device_bytes;
  if (!result_.runs.empty()) object["runs"] = runs_json(result_.runs);
  if (!trials_.empty()) {
    object["runs"] = trials_json(trials_);
    object["successes"] = successes(trials_);
  }
  if (sizing_)
    object["sizing"] = {{"population", sizing_->population},
                        {"largest_failed", sizing_->failed},
                        {"runs", sizing_->runs},
                        {"evaluations", sizing_->evaluations}};
}

NamedSeconds Report::named_seconds() const {
  return {.within_compute = {{"model", result_.model_seconds}, {"first_pass", result_.first_pass_seconds}}};
}

std::string Report::computing() const {
  return fmt::format("computing, {} of it for models", readable_seconds(result_.model_seconds));
}

std::string Report::answer_text() const {
  std::string text;
  if (sizing_ && sizing_->population != 0)
    text += fmt::format("sizing    {} individuals are enough; {} runs, {} evaluations\n", sizing_->population,
                        sizing_->runs, sizing_->evaluations);
  if (sizing_ && sizing_->population == 0)
    text += fmt::format("sizing    no population was found in {} runs\n", sizing_->runs);
  text += fmt::format("best      {} ({}, {} loci{})\n",
                      result_.best_genes.empty() ? "none" : number_json(result_.best_fitness).dump(), facts_.objective,
                      facts_.length, trials_.empty() && !table ? "" : fmt::format(", seed {}", seed_));
  if (!has_value()) text += "          that is not a finite number: check the objective\n";
  if (!is_feasible()) text += "violation not all hard clauses hold, and they may contradict each other\n";
  const auto genes = all_genes(result_.best_genes);
  const auto shown = std::min(genes.size(), genes_shown);
  text += fmt::format("genes     {}{}\n", genes.substr(0, shown), rest_text(genes.size() - shown));
  if (!result_.unchecked.empty()) text += fmt::format("unchecked {}\n", result_.unchecked);
  text += fmt::format("model     {}\n", model_lines(result_));
  const bool missed = facts_.target && !reached_target();
  auto work =
      fmt::format("{} evaluations{}", result_.evaluations, rate_text(result_.evaluations, result_.seconds.compute));
  if (const auto& runs = result_.runs; runs.size() > 1) {
    text += fmt::format("runs      {}, of {} to {} individuals, {}\n", runs.size(), runs.front().population,
                        runs.back().population, work);
    for (const auto& run : runs)
      if (run.population == population_) work = fmt::format("{} evaluations", run.evaluations);
  }
  text += fmt::format("run       {} individuals, {} generations, {}{}{}{}{}\n", population_, result_.generations, work,
                      result_.converged ? "; all individuals are equal" : "",
                      result_.optimal ? "; no value can be better" : "", ending_text(),
                      missed ? "; the target was not reached" : "");
  text += fmt::format("method    {} search, {} counting{}\n", result_.search, result_.counting,
                      fmt::format(" ({})", result_.reason));
  return text;
}

int Report::status() const {
  if (interrupted_) return Status::interrupted;
  if (sizing_) return sizing_->population == 0 ? Status::not_reached : Status::done;
  return (facts_.target && !reached_target()) || !has_value() || !is_feasible() ? Status::not_reached : Status::done;
}

std::string Report::write(const std::string& file) const {
  return write_file(file, all_genes(result_.best_genes) + "\n");
}

void Report::take(solver::Result result) {
  result_ = std::move(result);
  population_ = result_.population;
  interrupted_ = result_.interrupted();
}

void Report::keep(const solver::Trial& trial) {
  result_ = trial.result;
  seed_ = trial.seed;
  population_ = trial.population;
}

void Report::take(const solver::Trial& trial) {
  const bool better = trials_.empty() || !is_as_good(result_.best_fitness, trial.result.best_fitness) ||
                      (trial.success && !succeeded());
  if (better) keep(trial);
  trials_.push_back(trial);
}

void Report::take(const solver::Runs& runs) {
  keep(runs.trials.at(runs.best));
  const bool has_target = facts_.target.has_value();
  const bool is_proven = std::ranges::any_of(runs.trials, [](const auto& trial) { return trial.result.optimal; });
  table = RunsTable{solver::outcomes_of(runs),
                    runs.maximised,
                    has_target,
                    has_target || facts_.optimum || is_proven,
                    "fitness",
                    &number_json,
                    population_};
  interrupted_ = runs.interrupted();
  seconds = runs.seconds;
  result_.cluster = runs.cluster;
}

void Report::take(solver::Sizing sizing, bool interrupted) {
  if (sizing.population != 0) {
    keep(sizing.last);
    population_ = sizing.population;
  }
  sizing_ = std::move(sizing);
  interrupted_ = interrupted;
}

std::unique_ptr<RunReport> merge(const MergeOrder& order) {
  order.require_one_output("the best individual goes to one file");
  Facts facts;
  read_values(fields(facts), order.facts);
  facts.is_one_run = false;
  auto parts = results_of(order.slices, [&](const Record& record, std::uint64_t runs) {
    return solver::unpack_runs(record, runs, facts.length);
  });
  auto report = std::make_unique<Report>(facts);
  report->take(solver::merge(std::move(parts)));
  return report;
}

}  // namespace clopt::apps::ecga
