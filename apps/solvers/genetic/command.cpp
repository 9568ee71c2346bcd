/// \file
/// `clopt genetic`.
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/files.hpp>
#include <clopt/genetic.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <commands/subcommand.hpp>
#include <frame/job.hpp>
#include <frame/kept_problem.hpp>
#include <frame/progress_bar.hpp>
#include <frame/run_files.hpp>
#include <frame/shard_options.hpp>
#include <frame/watchdog.hpp>
#include "options.hpp"
#include "report.hpp"
#include "tour_picture.hpp"

namespace clopt::apps::genetic {
namespace {

namespace solver = clopt::genetic;

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
      files_.keep([this](Record& state) { keep_table(state, run_->problem.objective); });
  }

  const std::shared_ptr<CheckpointWriter>& checkpoint() const { return files_.checkpoint(); }
  std::vector<std::string> flush() { return files_.flush(); }

  /// None where no statistics are needed, so that the run need not stop for them.
  std::function<void(const solver::Statistics&)> observer() {
    if (!files_.wants_generations()) return {};
    return [this](const solver::Statistics& row) { add(row); };
  }

  /// Writes what is written at the end. \returns what went wrong.
  std::vector<std::string> finish(const solver::Result& result) {
    show_tour(result);
    auto failures = files_.finish();
    if (run_->output) failures.push_back(write_file(*run_->output, table_of_population(facts_of(*run_), result)));
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

  const Run* run_;
  RunFiles files_;
};

/// The result of a run's islands on one device.
struct Done {
  solver::Result result;
  std::vector<DeviceInfo> devices;
  double open_seconds = 0;
};

// What ranks of a job do not share.
void tell_of_one_rank(const solver::Options& options) {
  const auto* const member = job_member();
  if (member == nullptr || member->ranks() == 1) return;
  const std::string_view why = options.islands == 1     ? "one population is not"
                               : options.statistics     ? "a run with --statistics or --plot is not"
                               : options.measure_stages ? "a run with --stages is not"
                                                        : "";
  if (!why.empty())
    print_error(fmt::format("clopt genetic: {} shared out, so rank 0 of {} does all the work\n", why, member->ranks()));
}

// A rank of a job has its share of several; a device that fails is followed by the next one.
std::vector<DeviceInfo> choose_devices(CommonOptions& common) {
  if (job_member() != nullptr) return find_devices_of_rank(common);
  return {find_one_device(common, "genetic")};
}

// Opens the device and solves. \param options those of the run, or of a slice of it.
Done work(const Run& run, const solver::Options& options, Files& files) {
  Watchdog watchdog(run.common, {"genetic", run.options.granularity, run.options.target.has_value(),
                                 [](const BestSoFar& best) {
                                   return Json{{"fitness", best.value}, {"genes", best.point}};
                                 },
                                 [&files] { return files.flush(); }});
  auto common = run.common;
  const auto chosen = choose_devices(common);
  watchdog.set_devices(chosen);
  const Stopwatch opening;
  std::vector<std::shared_ptr<Device>> devices;
  Done done;
  for (const auto& info : chosen) {
    devices.push_back(open_listed_device(info, common.device));
    done.devices.push_back(devices.back()->info());
  }
  done.open_seconds = opening.seconds();

  ProgressBar bar(run.common.shows_progress());
  done.result = solver::solve(run.problem, options, devices, watchdog.control(bar));
  watchdog.end();
  bar.wipe();
  return done;
}

SliceReport slice_report(const Run& run, const Facts& facts) {
  return {"genetic",           "islands",      solver::identity(run.problem, run.options),
          run.options.islands, to_json(facts), run.common.seed,
          run.common.json};
}

}  // namespace

std::string_view summary() { return "a genetic algorithm at several granularities"; }

int run(const Arguments& arguments) {
  const auto options = make_parser().parse(arguments);
  if (!options) return Status::done;
  auto run = read_run(*options);
  const auto facts = facts_of(run);
  // What cannot be divided is refused before files are begun.
  const auto slice = run.slice ? std::optional(slice_report(run, facts)) : std::nullopt;
  Files files(run);
  run.options.checkpoint = files.checkpoint();
  run.options.statistics = files.observer();
  run.options.resume = run.resumed;
  if (slice)
    return do_slice(*run.slice, *slice, [&](const WorkRange& range) {
      auto options = run.options;
      options.range = range;
      const auto done = work(run, options, files);
      return SliceOutcome{done.result, solver::pack(done.result), done.devices, done.open_seconds};
    });

  tell_of_one_rank(run.options);
  const auto done = work(run, run.options, files);
  const auto failures = files.finish(done.result);
  const Report report{facts, done.result, done.devices, done.open_seconds};
  if (run.common.json)
    print_json(to_json(report));
  else
    print(to_text(report));
  return status_with_files(status_of(report), failures, "genetic");
}

}  // namespace clopt::apps::genetic
