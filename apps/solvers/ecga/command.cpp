/// \file
/// `clopt ecga`.
#include <clopt/ecga_runs.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <frame/files/checkpoint_problem.hpp>
#include <frame/run/sweep.hpp>
#include <pictures/svg.hpp>
#include "models.hpp"
#include "options.hpp"
#include "report.hpp"
#include "solver.hpp"

namespace clopt::apps::ecga {
namespace {

namespace solver = clopt::ecga;

const std::vector<std::pair<std::string, std::string>> refused_with_slices{
    {"statistics", "its rows are of one run"},
    {"plot", "a picture is of one run"},
    {"model", "models are of one run"},
    {"checkpoint", "it belongs to one run; give more slices, of one run each"},
    {"resume", "a checkpoint belongs to one run"}};

class Run final : public SolverRun {
 public:
  explicit Run(const Options& given)
      : SolverRun(read_run_request("ecga", given, refused_with_slices)), search_(read_search(request())) {}

 private:
  Json settings() const override {
    auto options = solver::complete(search_.problem, search_.options);
    auto settings = settings_json(fields_of(options));
    if (search_.sizing != Sizing::given)
      settings["population"] = search_.sizing == Sizing::doubling ? "double" : "auto";
    else if (used_population_ != 0)
      settings["population"] = used_population_;
    return settings;
  }

  RunDescription description() const override {
    return {.method = search_.options.counting,
            .has_target = search_.options.target.has_value(),
            .best =
                [](const BestSoFar& best) {
                  return Json{{"fitness", number_json(best.value)}, {"genes", best.point}};
                },
            .has_points = true};
  }

  void begin_files(RunFiles& files) override {
    files.begin_checkpoint(search_.parameters, fields_of(search_.options));
    files.begin_statistics({"generation", "evaluations", "best", "mean", "worst", "best_so_far", "groups",
                            "largest_group", "merges", "combined_complexity", "converged_loci", "passes",
                            "model_seconds"});
    const auto title = fmt::format("{}, {} loci, {}{} individuals", last_part(search_.objective),
                                   search_.problem.length, search_.options.population == 0 ? "at least " : "",
                                   solver::complete(search_.problem, search_.options).population);
    if (request().runs)
      files.begin_plot_of_runs(title, "fitness", search_.options.seed, *request().runs);
    else
      files.begin_plot(fmt::format("{}, seed {}", title, search_.options.seed), "fitness",
                       {"best so far", "best", "mean", "worst"});
    if (!search_.models.empty()) models_.emplace(search_.models, search_.problem.length);
    if (models_ && request().resumed) models_->restore(*request().resumed);
    files.keep([this](Record& state) {
      if (search_.parameters.contains("problem_data")) keep_table(state, search_.problem.objective);
      if (models_) models_->save(state);
    });
  }

  void add(const solver::Statistics& row) {
    if (request().runs) return files().add_point_of_run(row.generation, row.best_so_far);
    // A resumed run begins with the generation that the files end with.
    if (const auto start = resumed_generation(request().resumed); start && row.generation <= *start) return;
    if (models_) models_->add(row);
    std::uint64_t largest = 0;
    for (const auto& group : row.model) largest = std::max<std::uint64_t>(largest, group.size());
    const std::uint64_t groups = row.model.size();
    files().add_row({row.generation, row.evaluations, row.best, row.mean, row.worst, row.best_so_far, groups, largest,
                     std::uint64_t{row.merges}, row.combined_complexity, std::uint64_t{row.converged_loci},
                     std::uint64_t{row.passes}, row.model_seconds});
    files().add_points(row.generation, {row.best_so_far, row.best, row.mean, row.worst});
  }

  std::unique_ptr<RunReport> solve(const Devices& devices, const RunControl& control) override {
    auto report = std::make_unique<Report>(facts_of(search_, request()));
    if (search_.is_one_run()) {
      auto result = solve_once(devices, control);
      used_population_ = result.population;
      report->take(std::move(result));
    } else if (search_.sizing == Sizing::given) {
      report->take(solve_several(devices, control));
    } else {
      size_population(*report, devices, control);
    }
    return report;
  }

  solver::Result solve_once(const Devices& devices, const RunControl& control) {
    auto options = search_.options;
    // Where no file needs generations, less is read from the device.
    if (files().wants_generations() || models_) {
      options.statistics = [this](const solver::Statistics& row) { add(row); };
      report_unshared("a run whose generations are recorded is not");
    }
    options.checkpoint = files().checkpoint();
    options.resume = request().resumed;
    return solver::solve(search_.problem, options, devices, control);
  }

  solver::Runs solve_several(const Devices& devices, const RunControl& control) {
    auto options = search_.options;
    solver::RunsOptions runs{*request().runs, {}, {}};
    // Ranks share runs of which nothing is drawn.
    if (files().wants_generations()) {
      options.statistics = [this](const solver::Statistics& row) { add(row); };
      runs.trial = [this](const auto&) { files().next_run(); };
    }
    return solver::solve_runs(search_.problem, options, runs, devices, control);
  }

  void size_population(Report& report, const Devices& devices, const RunControl& control) const {
    const Watch watch(control);
    solver::SizingOptions options;
    options.trial = [&](const solver::Trial& trial) { report.take(trial); };
    auto sizing = search_.sizing == Sizing::doubling
                      ? solver::double_population(search_.problem, search_.options, options, devices, control)
                      : solver::find_population(search_.problem, search_.options, options, devices, control);
    report.take(std::move(sizing), watch.interrupted());
  }

  std::vector<std::string> finish_files(const RunReport& report) override {
    auto failures = SolverRun::finish_files(report);
    if (models_)
      for (auto& failure : models_->write()) failures.push_back(std::move(failure));
    return failures;
  }

  SliceReport slice_report() const override {
    return {.items = "runs",
            .identity = solver::identity(search_.problem, search_.options, {request().runs.value_or(1), {}, {}}),
            .number_of_items = request().runs.value_or(1),
            .facts = values_json(fields_of(facts_of(search_, request())))};
  }

  SliceOutcome solve_slice(const WorkRange& range, const Devices& devices, const RunControl& control) override {
    const auto runs =
        solver::solve_runs(search_.problem, search_.options, {*request().runs, range, {}}, devices, control);
    return {runs, solver::pack(runs)};
  }

  Search search_;
  std::uint64_t used_population_ = 0;  // of the run that is reported, once it is known
  std::optional<Models> models_;
};

}  // namespace

int run(const Arguments& arguments) {
  const auto given = make_parser().parse(arguments);
  return given ? run_settings<Run>(*given, "ecga") : static_cast<int>(Status::done);
}

}  // namespace clopt::apps::ecga
