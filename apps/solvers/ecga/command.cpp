/// \file
/// `clopt ecga`.
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/files.hpp>
#include <clopt/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <commands/subcommand.hpp>
#include <frame/kept_problem.hpp>
#include <frame/progress_bar.hpp>
#include <frame/run_files.hpp>
#include <frame/watchdog.hpp>
#include "models.hpp"
#include "options.hpp"

namespace clopt::apps::ecga {
namespace {

namespace solver = clopt::ecga;
using Devices = std::vector<std::shared_ptr<Device>>;

constexpr std::size_t genes_shown = 64;
constexpr std::size_t groups_shown = 12;

/// The files that a run writes as it goes.
class Files {
 public:
  explicit Files(const Run& run) : run_(&run), files_(run.files_and_limits, run.parameters, run.resumed) {
    files_.begin_statistics(
        {"generation", "evaluations", "best", "mean", "worst", "best_so_far", "groups", "largest_group", "merges",
         "combined_complexity", "converged_loci", "passes", "model_seconds"},
        resumed_generation(run.resumed));
    files_.begin_plot(fmt::format("{}, {} loci, {} individuals, seed {}", run.objective, run.problem.length,
                                  run.options.population, run.common.seed),
                      "fitness", {"best so far", "best", "mean", "worst"});
    if (!run.models.empty()) models_.emplace(run.models, run.problem.length);
    if (models_ && run.resumed) models_->restore(*run.resumed);
    files_.keep([this](CheckpointState& state) {
      if (run_->parameters.contains("problem_data")) keep_table(state, run_->problem.objective);
      if (models_) models_->save(state);
    });
  }

  const std::shared_ptr<CheckpointWriter>& checkpoint() const { return files_.checkpoint(); }
  void flush() { files_.flush(); }

  /// None where nobody needs it: less is then read from the device.
  std::function<void(const solver::Statistics&)> observer() {
    if (!files_.wants_generations() && !models_) return {};
    return [this](const solver::Statistics& row) { add(row); };
  }

  /// Writes what is written at the end. \returns what went wrong.
  std::vector<std::string> finish() {
    auto failures = files_.finish();
    if (models_)
      for (auto& failure : models_->write()) failures.push_back(std::move(failure));
    return failures;
  }

 private:
  void add(const solver::Statistics& row) {
    // A run that goes on begins with the generation that the files end with.
    if (const auto start = resumed_generation(run_->resumed); start && row.generation <= *start) return;
    if (models_) models_->add(row);
    std::uint64_t largest = 0;
    for (const auto& group : row.model) largest = std::max<std::uint64_t>(largest, group.size());
    const std::uint64_t groups = row.model.size();
    files_.add_row({row.generation, row.evaluations, row.best, row.mean, row.worst, row.best_so_far, groups, largest,
                    std::uint64_t{row.merges}, row.combined_complexity, std::uint64_t{row.converged_loci},
                    std::uint64_t{row.passes}, row.model_seconds});
    files_.add_points(row.generation, {row.best_so_far, row.best, row.mean, row.worst});
  }

  const Run* run_;
  RunFiles files_;
  std::optional<Models> models_;
};

/// What belongs to a result besides it.
struct Report {
  const Run& run;
  solver::Result result;  ///< of the best run
  std::uint64_t seed = 1;
  std::uint64_t population = 0;
  std::vector<solver::Trial> trials;  ///< where there were several runs
  std::optional<solver::Sizing> sizing;
  std::vector<DeviceInfo> devices;
  double open_seconds = 0;
  double total_seconds = 0;  ///< of all runs
  bool interrupted = false;
};

bool is_as_good(const Run& run, double value, double other) {
  return solver::maximises(run.problem) ? value >= other : value <= other;
}

bool target_reached(const Run& run, const solver::Result& result) {
  return run.options.target && is_as_good(run, result.best_fitness, *run.options.target);
}

bool succeeded(const Run& run, const solver::Result& result) {
  if (run.options.target) return target_reached(run, result);
  const auto optimum = run.problem.objective.optimum();
  return optimum && is_as_good(run, result.best_fitness, *optimum);
}

/// Why it was counted in this way, and what devices had no part in it.
std::string reason_of(const solver::Result& result, std::size_t devices) {
  if (result.failures.empty()) return result.reason;
  return fmt::format("{}; {} of {} devices left out ({}), and the others counted their parts", result.reason,
                     result.failures.size(), devices, result.failures.front());
}

Json number_json(double value) {
  if (std::abs(value) < 0x1p63 && value == static_cast<double>(static_cast<std::int64_t>(value)))
    return static_cast<std::int64_t>(value);
  return value;
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
bool limit_reached(const Run& run, const solver::Result& result) {
  if (run.sizing != Sizing::given || run.runs > 1) return false;
  return run.options.generations && result.generations >= *run.options.generations;
}

Json to_json(const Report& report) {
  const auto& [run, result, seed, population, trials, sizing, devices, open_seconds, total_seconds, interrupted] =
      report;
  auto object = result_head("ecga", devices, result.method, seed);
  object["objective"] = run.objective;
  object["length"] = run.problem.length;
  object["population"] = population;
  object["search"] = result.search;
  object["counting"] = result.counting;
  object["best"] = {{"fitness", number_json(result.best_fitness)}, {"genes", result.best_genes}};
  object["model"] = result.model;
  object["generations"] = result.generations;
  if (const auto resumed = resumed_generation(run.resumed)) object["resumed_generation"] = *resumed;
  object["evaluations"] = result.evaluations;
  object["converged"] = result.converged;
  object["limit_reached"] = limit_reached(run, result);
  if (run.options.target) object["target"] = number_json(*run.options.target);
  if (run.options.target) object["target_reached"] = target_reached(run, result);
  if (run.problem.objective.optimum()) object["optimum"] = number_json(*run.problem.objective.optimum());
  object["interrupted"] = interrupted;
  object["reason"] = reason_of(result, devices.size());
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
  object["checked_on_host"] = result.unchecked.empty();
  if (!result.unchecked.empty()) object["unchecked"] = result.unchecked;
  object["checksum"] = hexadecimal(result.checksum);
  object["version"] = version();
  return object;
}

std::string all_genes(const std::vector<std::uint8_t>& genes) {
  std::string text;
  for (const auto gene : genes) text += gene != 0 ? '1' : '0';
  return text;
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
std::string ending_of(const Run& run, const solver::Result& result) {
  if (run.sizing == Sizing::given && run.runs == 1 && result.ending == Ending::evaluations)
    return "; the limit of evaluations was reached";
  if (run.sizing == Sizing::given && run.runs == 1 && result.ending == Ending::stagnation)
    return fmt::format("; nothing got better in {} generations", *run.options.stagnation);
  if (!limit_reached(run, result)) return {};
  if (resumed_generation(run.resumed) == result.generations)
    return "; the checkpoint had reached the limit of generations (--generations gives another one)";
  return "; the limit of generations was reached";
}

std::string to_text(const Report& report) {
  const auto& [run, result, seed, population, trials, sizing, devices, open_seconds, total_seconds, interrupted] =
      report;
  std::string text;
  if (sizing && sizing->population != 0)
    text += fmt::format("sizing    {} individuals are enough; {} runs, {} evaluations\n", sizing->population,
                        sizing->runs, sizing->evaluations);
  if (sizing && sizing->population == 0)
    text += fmt::format("sizing    no population was found in {} runs\n", sizing->runs);
  if (!trials.empty() && !sizing)
    text += fmt::format("runs      {} of {} succeeded\n", successes(trials), trials.size());
  text += fmt::format("best      {} ({}, {} loci{})\n", number_json(result.best_fitness).dump(), run.objective,
                      run.problem.length, trials.empty() ? "" : fmt::format(", seed {}", seed));
  text += fmt::format("genes     {}\n", genes_text(result.best_genes));
  if (!result.unchecked.empty()) text += fmt::format("unchecked {}\n", result.unchecked);
  text += fmt::format("model     {}\n", model_lines(result.model));
  const bool missed = run.options.target && !target_reached(run, result);
  text += fmt::format("run       {} individuals, {} generations, {} evaluations{}{}{}{}\n", population,
                      result.generations, result.evaluations, rate_text(result.evaluations, result.seconds.compute),
                      result.converged ? "; all individuals are equal" : "", ending_of(run, result),
                      missed ? "; the target was not reached" : "");
  text += fmt::format("method    {} search, {} counting{}\n", result.search, result.counting,
                      fmt::format(" ({})", reason_of(result, devices.size())));
  for (const auto& device : devices) text += fmt::format("device    {} ({})\n", device.id, device.name);
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
  return report.run.options.target && !target_reached(report.run, report.result) ? Status::not_reached : Status::done;
}

void run_once(Report& report, const Devices& devices, const RunControl& control, Files& files) {
  const auto& run = report.run;
  auto options = run.options;
  options.statistics = files.observer();
  options.checkpoint = files.checkpoint();
  options.resume = run.resumed;
  report.result = solver::solve(run.problem, options, devices, control);
  report.interrupted = report.result.interrupted();
  report.seed = run.common.seed;
  report.population = options.population;
}

// Takes over a run that is better than those before.
void take(Report& report, const solver::Trial& trial) {
  const bool better = report.trials.empty() ||
                      !is_as_good(report.run, report.result.best_fitness, trial.result.best_fitness) ||
                      (trial.success && !succeeded(report.run, report.result));
  if (better) {
    report.result = trial.result;
    report.seed = trial.seed;
    report.population = trial.population;
  }
  report.trials.push_back(trial);
}

void run_several(Report& report, const Devices& devices, const RunControl& control) {
  const auto& run = report.run;
  const Watch watch(control);
  auto options = run.options;
  for (std::uint32_t i = 0; i < run.runs && (i == 0 || !watch.expired()); ++i) {
    options.seed = run.common.seed + i;
    auto own = control;
    if (control.time_limit) own.time_limit = std::max(0.0, *control.time_limit - watch.seconds());
    own.progress = [&](const Progress& progress) {
      watch.report(progress.phase, progress.done, progress.best, progress.best_point);
      return !watch.interrupted();
    };
    solver::Trial trial{options.population, options.seed, false, solver::solve(run.problem, options, devices, own)};
    trial.success = succeeded(run, trial.result);
    take(report, trial);
  }
  report.interrupted = watch.interrupted();
  report.total_seconds = watch.seconds();
}

void size_population(Report& report, const Devices& devices, const RunControl& control) {
  const auto& run = report.run;
  const Watch watch(control);
  solver::SizingOptions sizing;
  sizing.trial = [&](const solver::Trial& trial) { take(report, trial); };
  const bool doubling = run.sizing == Sizing::doubling;
  report.sizing = doubling ? solver::double_population(run.problem, run.options, sizing, devices, control)
                           : solver::find_population(run.problem, run.options, sizing, devices, control);
  if (report.sizing->population != 0) {
    report.result = report.sizing->last.result;
    report.seed = report.sizing->last.seed;
    report.population = report.sizing->population;
  }
  report.interrupted = watch.interrupted();
  report.total_seconds = watch.seconds();
}

}  // namespace

std::string_view summary() { return "extended compact genetic algorithm: learns which bits depend on each other"; }

int run(const Arguments& arguments) {
  const auto options = make_parser().parse(arguments);
  if (!options) return Status::done;
  const auto run = read_run(*options);
  Files files(run);

  Watchdog watchdog(run.common, {"ecga", run.options.counting, run.options.target.has_value(),
                                 [](const BestSoFar& best) {
                                   return Json{{"fitness", number_json(best.value)}, {"genes", best.point}};
                                 },
                                 [&files] { files.flush(); }});
  const auto chosen = find_devices(run.common.devices);
  watchdog.set_devices(chosen);
  const Stopwatch opening;
  Devices devices;
  devices.reserve(chosen.size());
  for (const auto& info : chosen) devices.push_back(open_listed_device(info, run.common.device));
  Report report{run, {}, run.common.seed, run.options.population, {}, {}, {}, opening.seconds(), 0, false};
  report.devices.reserve(devices.size());
  for (const auto& device : devices) report.devices.push_back(device->info());

  ProgressBar bar(run.common.shows_progress());
  const auto control = watchdog.control(bar);
  if (run.sizing != Sizing::given)
    size_population(report, devices, control);
  else if (run.runs > 1)
    run_several(report, devices, control);
  else
    run_once(report, devices, control, files);
  watchdog.end();
  bar.wipe();

  auto failures = files.finish();
  if (run.output) failures.push_back(write_file(*run.output, all_genes(report.result.best_genes) + "\n"));
  if (run.common.json)
    print_json(to_json(report));
  else
    print(to_text(report));
  return status_with_files(status_of(report), failures, "ecga");
}

}  // namespace clopt::apps::ecga
