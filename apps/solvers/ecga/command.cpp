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
#include <frame/job.hpp>
#include <frame/kept_problem.hpp>
#include <frame/progress_bar.hpp>
#include <frame/run_files.hpp>
#include <frame/shard_options.hpp>
#include <frame/watchdog.hpp>
#include "models.hpp"
#include "options.hpp"
#include "report.hpp"
#include "solver.hpp"

namespace clopt::apps::ecga {
namespace {

namespace solver = clopt::ecga;
using Devices = std::vector<std::shared_ptr<Device>>;

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
    files_.keep([this](Record& state) {
      if (run_->parameters.contains("problem_data")) keep_table(state, run_->problem.objective);
      if (models_) models_->save(state);
    });
  }

  const std::shared_ptr<CheckpointWriter>& checkpoint() const { return files_.checkpoint(); }
  std::vector<std::string> flush() { return files_.flush(); }

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

// What is told of each generation is told by the one rank that makes them.
void tell_of_one_rank() {
  const auto* const member = job_member();
  if (member != nullptr && member->ranks() > 1)
    print_error(
        fmt::format("clopt ecga: a run whose generations are recorded is not shared out, so rank 0 of {} does all the "
                    "work\n",
                    member->ranks()));
}

void run_once(const Run& run, Report& report, const Devices& devices, const RunControl& control, Files& files) {
  auto options = run.options;
  options.statistics = files.observer();
  if (options.statistics) tell_of_one_rank();
  options.checkpoint = files.checkpoint();
  options.resume = run.resumed;
  report.result = solver::solve(run.problem, options, devices, control);
  report.interrupted = report.result.interrupted();
  report.seed = run.common.seed;
  report.population = options.population;
}

void run_several(const Run& run, Report& report, const Devices& devices, const RunControl& control) {
  solver::RunsOptions runs;
  runs.runs = run.runs;
  take(report, solver::solve_runs(run.problem, run.options, runs, devices, control));
}

void size_population(const Run& run, Report& report, const Devices& devices, const RunControl& control) {
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

// Opens the devices, notes them in the report, and calls a function with them.
void work(const Run& run, Report& report, Files& files,
          const std::function<void(const Devices&, const RunControl&)>& call) {
  Watchdog watchdog(run.common, {"ecga", run.options.counting, run.options.target.has_value(),
                                 [](const BestSoFar& best) {
                                   return Json{{"fitness", number_json(best.value)}, {"genes", best.point}};
                                 },
                                 [&files] { return files.flush(); }});
  auto common = run.common;
  const auto chosen = find_devices_of_rank(common);
  watchdog.set_devices(chosen);
  const Stopwatch opening;
  Devices devices;
  devices.reserve(chosen.size());
  for (const auto& info : chosen) devices.push_back(open_listed_device(info, common.device));
  report.open_seconds = opening.seconds();
  report.devices.reserve(devices.size());
  for (const auto& device : devices) report.devices.push_back(device->info());

  ProgressBar bar(run.common.shows_progress());
  call(devices, watchdog.control(bar));
  watchdog.end();
  bar.wipe();
}

SliceReport slice_report(const Run& run, const Facts& facts) {
  return {"ecga",         "runs",         solver::identity(run.problem, run.options, {run.runs, {}, {}}),
          run.runs,       to_json(facts), run.common.seed,
          run.common.json};
}

}  // namespace

std::string_view summary() { return "extended compact genetic algorithm: learns which bits depend on each other"; }

int run(const Arguments& arguments) {
  const auto options = make_parser().parse(arguments);
  if (!options) return Status::done;
  const auto run = read_run(*options);
  Files files(run);

  const auto facts = facts_of(run);
  if (run.slice)
    return do_slice(*run.slice, slice_report(run, facts), [&](const WorkRange& range) {
      solver::Runs runs;
      Report report{facts, {}, run.common.seed, run.options.population, {}, {}, {}, 0, 0, false};
      work(run, report, files, [&](const Devices& devices, const RunControl& control) {
        runs = solver::solve_runs(run.problem, run.options, {run.runs, range, {}}, devices, control);
      });
      return SliceOutcome{runs, solver::pack(runs), report.devices, report.open_seconds};
    });

  Report report{facts, {}, run.common.seed, run.options.population, {}, {}, {}, 0, 0, false};
  work(run, report, files, [&](const Devices& devices, const RunControl& control) {
    if (run.sizing != Sizing::given)
      size_population(run, report, devices, control);
    else if (run.runs > 1)
      run_several(run, report, devices, control);
    else
      run_once(run, report, devices, control, files);
  });

  auto failures = files.finish();
  if (run.output) failures.push_back(write_file(*run.output, all_genes(report.result.best_genes) + "\n"));
  if (run.common.json)
    print_json(to_json(report));
  else
    print(to_text(report));
  return status_with_files(status_of(report), failures, "ecga");
}

}  // namespace clopt::apps::ecga
