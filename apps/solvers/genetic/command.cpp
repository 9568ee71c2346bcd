/// \file
/// `clopt genetic`.
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/files.hpp>
#include <clopt/genetic.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include <commands/subcommand.hpp>
#include <frame/kept_problem.hpp>
#include <frame/progress_bar.hpp>
#include <frame/run_files.hpp>
#include <frame/watchdog.hpp>
#include "options.hpp"
#include "tour_picture.hpp"

namespace clopt::apps::genetic {
namespace {

namespace solver = clopt::genetic;

constexpr std::size_t genes_shown = 20;

/// The files that a run writes as it goes.
class Files {
 public:
  explicit Files(const Run& run) : run_(&run), files_(run.files_and_limits, run.parameters, run.resumed) {
    std::vector<std::string> columns{"generation", "island", "evaluations", "best",
                                     "mean",       "worst",  "best_so_far", "distinct"};
    if (is_constrained()) columns.emplace_back("feasible");
    files_.begin_statistics(columns, resumed_generation(run.resumed));
    const auto& problem = run.problem;
    files_.begin_plot(fmt::format("{}, {} genes, {} individuals, seed {}", problem.objective.name(), problem.genes,
                                  *run.options.population, run.common.seed),
                      "value", {"best so far", "best", "mean", "worst"}, run.options.islands, "island");
    if (run.parameters.contains("problem_data"))
      files_.keep([this](CheckpointState& state) { keep_table(state, run_->problem.objective); });
  }

  const std::shared_ptr<CheckpointWriter>& checkpoint() const { return files_.checkpoint(); }
  void flush() { files_.flush(); }

  /// None where no statistics are needed, so that the run need not stop for them.
  std::function<void(const solver::Statistics&)> observer() {
    if (!files_.wants_generations()) return {};
    return [this](const solver::Statistics& row) { add(row); };
  }

  /// Writes what is written at the end. \returns what went wrong.
  std::vector<std::string> finish(const solver::Result& result) {
    show_tour(result);
    auto failures = files_.finish();
    if (run_->output) failures.push_back(write_population(result));
    return failures;
  }

 private:
  bool is_constrained() const { return run_->problem.objective.has_violation(); }

  // The trip on the map, where the file of a tour has places.
  void show_tour(const solver::Result& result) {
    constexpr std::string_view kind = "tour:";
    const auto name = run_->parameters.value("objective", std::string());
    if (!run_->files_and_limits.plot || !name.starts_with(kind)) return;
    const auto places = read_places(name.substr(kind.size()), result.genes.size());
    if (places.empty()) return;
    const std::vector<std::uint32_t> order(result.genes.begin(), result.genes.end());
    const auto title = fmt::format("a trip of {}, {} cities", result.fitness, order.size());
    files_.draw_beside(
        [=](Svg& picture, double x) { draw_tour(picture, x, 0, LinePlot::draw_height, title, places, order); });
  }

  void add(const solver::Statistics& row) {
    std::vector<CsvWriter::Field> fields{row.generation, std::uint64_t{row.island}, row.evaluations, row.best, row.mean,
                                         row.worst,      row.best_so_far,           row.distinct};
    if (is_constrained()) fields.emplace_back(row.feasible);
    files_.add_row(fields);
    files_.add_points(row.generation, {row.best_so_far, row.best, row.mean, row.worst}, row.island);
  }

  std::string write_population(const solver::Result& result) const {
    std::string table = is_constrained() ? "value,violation" : "value";
    for (std::uint32_t gene = 0; gene < run_->problem.genes; ++gene) table += fmt::format(",gene{}", gene);
    table += '\n';
    const auto* genes = result.population.data();
    for (std::size_t i = 0; i < result.values.size(); ++i) {
      table += fmt::format("{}", result.values[i]);
      if (is_constrained()) table += fmt::format(",{}", result.violations[i]);
      table += fmt::format(",{}\n", fmt::join(genes, genes + run_->problem.genes, ","));
      genes += run_->problem.genes;
    }
    return write_file(*run_->output, table);
  }

  const Run* run_;
  RunFiles files_;
};

bool reached_target(const solver::Result& result) { return result.ending == Ending::target; }

/// What belongs to a result besides it.
struct Report {
  const Run& run;
  const solver::Result& result;
  const DeviceInfo& device;
  double open_seconds;
};

Json genes_json(const Report& report) {
  if (report.run.problem.objective.kind() == GeneKind::reals) return report.result.genes;
  Json genes = Json::array();
  for (const double gene : report.result.genes) genes.push_back(static_cast<std::int64_t>(gene));
  return genes;
}

// Sums of whole numbers are whole numbers.
Json value_json(const Report& report) {
  const auto& objective = report.run.problem.objective;
  const bool is_whole =
      (objective.form() == ObjectiveForm::count || objective.form() == ObjectiveForm::word) && !objective.has_finish();
  // Of an infeasible one that could not be evaluated again it is no number.
  if (!std::isfinite(report.result.fitness)) return nullptr;
  if (is_whole) return static_cast<std::int64_t>(report.result.fitness);
  return report.result.fitness;
}

Json step_json(const Run& run) {
  if (run.options.step) return *run.options.step;
  return run.problem.objective.kind() == GeneKind::integers ? Json(1) : Json("1 % of the range");
}

// All that the run took, and nothing that it had no use for.
Json settings_json(const Run& run) {
  const auto& options = run.options;
  Json settings{{"preset", options.preset},
                {"population", *options.population},
                {"islands", options.islands},
                {"selection", options.selection},
                {"crossover_kind", options.crossover_kind},
                {"crossover", *options.crossover},
                {"mutation_kind", options.mutation_kind},
                {"mutation", *options.mutation},
                {"elites", *options.elites},
                {"restart", *options.restart},
                {"improve", options.improve},
                {"precision", options.precision}};
  if (options.selection == "tournament") settings["tournament"] = *options.tournament;
  if (options.selection == "rank") settings["rank_pressure"] = options.rank_pressure;
  if (options.crossover_kind == "line") settings["line_extension"] = options.line_extension;
  if (options.crossover_kind == "simulated-binary") settings["distribution_index"] = *options.distribution_index;
  if (options.mutation_kind == "step" || options.mutation_kind == "gaussian") settings["step"] = step_json(run);
  if (options.mutation_kind == "polynomial") settings["mutation_index"] = *options.mutation_index;
  if (options.migrate_every != 0) {
    settings["migrate_every"] = options.migrate_every;
    settings["migrants"] = options.migrants;
  }
  return settings;
}

Json to_json(const Report& report) {
  const auto& [run, result, device, open_seconds] = report;
  auto object = result_head("genetic", {device}, result.method, run.common.seed);
  object["objective"] = run.problem.objective.name();
  object["genes"] = run.problem.genes;
  object["population"] = *run.options.population;
  object["settings"] = settings_json(run);
  object["best"] = {{"fitness", value_json(report)}, {"genes", genes_json(report)}};
  if (run.problem.objective.has_violation()) {
    object["feasible"] = result.feasible;
    object["violation"] = std::isfinite(result.violation) ? Json(result.violation) : Json(nullptr);
  }
  object["generations"] = result.generations;
  object["restarts"] = result.restarts;
  if (const auto resumed = resumed_generation(run.resumed)) object["resumed_generation"] = *resumed;
  object["evaluations"] = result.evaluations;
  object["ending"] = name_of(result.ending);
  if (run.problem.objective.optimum()) object["optimum"] = *run.problem.objective.optimum();
  if (run.options.target) object["target_reached"] = reached_target(result);
  object["interrupted"] = result.interrupted();
  if (run.options.islands > 1) object["island_fitness"] = result.island_fitness;
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

std::string genes_text(const Report& report) {
  const auto& genes = report.result.genes;
  const auto shown = std::min(genes.size(), genes_shown);
  auto text = fmt::format("{:.6g}", fmt::join(genes.begin(), genes.begin() + static_cast<std::ptrdiff_t>(shown), " "));
  if (shown < genes.size()) text += fmt::format(" ... ({} more: --json)", genes.size() - shown);
  return text;
}

std::string to_text(const Report& report) {
  const auto& [run, result, device, open_seconds] = report;
  std::string text = fmt::format("best      {} ({})\n", value_json(report).dump(), run.problem.objective.name());
  if (!result.feasible)
    text += fmt::format("violation {:.6g}: no individual was found that keeps all constraints\n", result.violation);
  text += fmt::format("genes     {}\n", genes_text(report));
  text += fmt::format(
      "run       {} generations, {}{} evaluations{}{}{}{}\n", result.generations,
      result.restarts == 0 ? "" : fmt::format("{} restart{}, ", result.restarts, result.restarts == 1 ? "" : "s"),
      result.evaluations, rate_text(result.evaluations, result.seconds.compute),
      // The program itself tells of an interrupt.
      result.interrupted() ? std::string() : fmt::format("; ended by {}", name_of(result.ending)),
      resumed_generation(run.resumed) == result.generations ? ", which the checkpoint had reached already" : "",
      run.options.target && !reached_target(result) ? "; the target was not reached" : "");
  const auto& options = run.options;
  text += fmt::format("preset    {}: {} individuals, {} selection, {} crossover, {} mutation, {} elites{}{}\n",
                      options.preset, *options.population, options.selection, options.crossover_kind,
                      options.mutation_kind, *options.elites,
                      *options.restart == 0 ? "" : fmt::format(", restart after {} generations", *options.restart),
                      options.improve == "none" ? "" : ", " + options.improve);
  if (!result.unchecked.empty()) text += fmt::format("unchecked {}\n", result.unchecked);
  text += fmt::format("method    {}, {} individuals a group{}\n", result.method, result.individuals_per_group,
                      result.reason.empty() ? "" : fmt::format(" ({})", result.reason));
  text += fmt::format("device    {} ({})\n", device.id, device.name);
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

int status_of(const Run& run, const solver::Result& result) {
  if (result.interrupted()) return Status::interrupted;
  const bool missed = run.options.target && !reached_target(result);
  return missed || !result.feasible ? Status::not_reached : Status::done;
}

}  // namespace

std::string_view summary() { return "a genetic algorithm at several granularities"; }

int run(const Arguments& arguments) {
  const auto options = make_parser().parse(arguments);
  if (!options) return Status::done;
  auto run = read_run(*options);
  Files files(run);
  run.options.checkpoint = files.checkpoint();
  run.options.statistics = files.observer();
  run.options.resume = run.resumed;

  Watchdog watchdog(run.common, {"genetic", run.options.granularity, run.options.target.has_value(),
                                 [](const BestSoFar& best) {
                                   return Json{{"fitness", best.value}, {"genes", best.point}};
                                 },
                                 [&files] { files.flush(); }});
  const auto chosen = find_one_device(run.common, "genetic");
  watchdog.set_devices({chosen});
  const Stopwatch opening;
  const auto device = open_listed_device(chosen, run.common.device);
  const double open_seconds = opening.seconds();

  ProgressBar bar(run.common.shows_progress());
  const auto result = solver::solve(run.problem, run.options, *device, watchdog.control(bar));
  watchdog.end();
  bar.wipe();

  const auto failures = files.finish(result);
  const Report report{run, result, device->info(), open_seconds};
  if (run.common.json)
    print_json(to_json(report));
  else
    print(to_text(report));
  return status_with_files(status_of(run, result), failures, "genetic");
}

}  // namespace clopt::apps::genetic
