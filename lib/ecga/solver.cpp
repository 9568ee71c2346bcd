#include <clopt/checkpoint.hpp>
#include <clopt/device.hpp>
#include <clopt/ecga.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <cmath>

#include <device/borrow.hpp>
#include <device/build_ahead.hpp>
#include <device/first_launches.hpp>
#include <objective/program.hpp>

#include <support/stopwatch.hpp>
#include "matrix_units.hpp"
#include "run.hpp"
#include "settings.hpp"
#include "shape.hpp"
#include "state.hpp"

namespace clopt::ecga {
namespace {

void check_control(const RunControl& control) {
  if (control.time_limit && !(*control.time_limit >= 0))
    throw InvalidInput(fmt::format("`time_limit` is {}; give a number of seconds from 0 on", *control.time_limit));
}

/// A way of counting, of those that a device knows.
struct Choice {
  Counting counting;
  Counting named;  ///< as results name it: `table` stands for either width
  std::string reason;
};

// Begins what the usual ways of counting build, where a driver builds several programs at once: the choice of a way
// waits for some of them, and the run for all.
void begin_builds(const Settings& settings, Device& device) {
  BuildAhead builds;
  device.kernel<operations::SelectRows>();
  device.kernel<operations::GrowTrees>();
  device.kernel<operations::InitialPopulation>();
  device.kernel<operations::CountPairs>();
  device.kernel<operations::LocusSums>();
  Run::build_evaluation(settings, device);
  if (!may_have_matrix_units(device)) return;
  device.kernel<operations::CountPairsMatrix>(matrix_program());
  device.kernel<operations::CountPairsWide>(matrix_program());
}

Choice choose_counting(const Settings& settings, Device& device) {
  const auto wanted = settings.counting;
  switch (wanted) {
    case Counting::histogram:
    case Counting::table_8:
    case Counting::table_16: return {wanted, wanted, "asked for"};
    case Counting::table:
      return device.info().launches_are_calls
                 ? Choice{Counting::table_16, wanted, "tables of 16 bits, as the paper has them on a processor"}
                 : Choice{Counting::table_8, wanted, "tables of 8 bits, as the paper has them on a GPU"};
    default: break;
  }
  begin_builds(settings, device);
  if (device.kernel<operations::CountPairs>().max_group_size() < count_group)
    return {Counting::histogram, Counting::histogram, "this device's work-groups are too small for tiles of pairs"};
  if (wanted == Counting::popcount) return {wanted, wanted, "asked for"};
  if (has_matrix_units(device)) return {Counting::matrix, Counting::matrix, "this device has 1-bit matrix units"};
  return {Counting::popcount, Counting::popcount, "this device has no 1-bit matrix units that work"};
}

/// Why a run must end now, if it must.
std::optional<Ending> ending_of(const Run& run, const Settings& settings, const Watch& watch) {
  const auto& limits = settings.options;
  const auto& now = run.statistics();
  if (settings.reaches_target(run.best_fitness())) return Ending::target;
  if (run.has_converged()) return Ending::complete;
  if (limits.generations && now.generation >= *limits.generations) return Ending::generations;
  if (limits.evaluations && now.evaluations >= *limits.evaluations) return Ending::evaluations;
  if (limits.stagnation.value_or(0) != 0 && run.stagnant_generations() >= *limits.stagnation) return Ending::stagnation;
  if (watch.interrupted()) return Ending::interrupted;
  if (watch.expired()) return Ending::time;
  return std::nullopt;
}

/// Calls the statistics callback and writes checkpoints, each generation once: a device that begins anew comes to the
/// generations of the one before again.
class Recorder {
 public:
  explicit Recorder(const Settings& settings) : settings_(settings) {
    if (settings.options.resume) start_ = read_state(*settings.options.resume, settings);
  }

  const State* start() const { return start_ ? &*start_ : nullptr; }

  void record(const Statistics& statistics) {
    const auto& callback = settings_.options.statistics;
    if (!callback || (recorded_ && statistics.generation <= *recorded_)) return;
    recorded_ = statistics.generation;
    callback(statistics);
  }
  void save_if_due(const Run& run) {
    const auto& checkpoint = settings_.options.checkpoint;
    if (checkpoint && run.statistics().generation >= saved_ && checkpoint->due()) save(run);
  }
  void save(const Run& run) {
    if (!settings_.options.checkpoint) return;
    saved_ = run.statistics().generation;
    ecga::save(run.state(), settings_, *settings_.options.checkpoint);
  }

 private:
  const Settings& settings_;
  std::optional<State> start_;
  std::optional<std::uint64_t> recorded_;
  std::uint64_t saved_ = 0;
};

Ending evolve(Run& run, const Settings& settings, const Watch& watch, Recorder& recorder) {
  run.begin(recorder.start());
  for (;;) {
    run.report();
    recorder.record(run.statistics());
    if (const auto ending = ending_of(run, settings, watch)) return *ending;
    if (run.statistics().generation > 0) recorder.save_if_due(run);
    if (!run.step()) return watch.interrupted() ? Ending::interrupted : Ending::time;
  }
}

/// A run on several devices. It survives the failure of all but the first.
Result solve_on(const Settings& settings, std::span<const std::shared_ptr<Device>> devices, const Watch& watch,
                Recorder& recorder) {
  auto& device = *devices.front();
  objective::require_device(device, settings.problem.objective, false);
  const Stopwatch choosing;
  const auto choice = choose_counting(settings, device);
  const double choice_seconds = choosing.seconds();
  const auto shape = fitting_shape(settings, choice.counting, device);
  Run run(settings, shape, choice.counting, device, watch);
  run.share_with(devices.subspan(1));

  const double begin = watch.seconds();
  Result result;
  result.ending = evolve(run, settings, watch, recorder);
  result.seconds.compute = watch.seconds() - begin;
  const Stopwatch checking;
  // Once: what is told is what was checked.
  const auto best = run.read_best();
  result.unchecked = run.check_best(best);
  const double check_seconds = checking.seconds();
  recorder.save(run);
  result.search = result.method = name_of(settings.search);
  result.counting = name_of(choice.named);
  result.reason = choice.reason;
  result.best_fitness = run.best_fitness();
  result.best_genes = run.genes_of(best);
  result.model = run.model();
  result.population = settings.options.population;
  result.generations = run.statistics().generation;
  result.evaluations = run.statistics().evaluations;
  result.converged = run.has_converged();
  result.checksum = run.checksum(best);
  result.passes = run.passes();
  result.merges = run.merges();
  result.launches = run.launches();
  result.failures = run.failures();
  result.device_bytes = shape.bytes();
  // The choice builds what it asks of the device.
  result.seconds.build = run.build_seconds() + choice_seconds + check_seconds;
  result.model_seconds = run.model_seconds();
  result.first_pass_seconds = run.first_pass_seconds();
  result.seconds.total = watch.seconds() - result.seconds.build;
  return result;
}

}  // namespace

// Where the device that has the population fails, the run restarts on the next one, and reaches the same states.
Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
             const RunControl& control) {
  const FirstLaunches first_launches(devices);
  const Watch watch(control);
  if (devices.empty()) throw InvalidInput("there is no device; give at least one");
  check_control(control);
  const auto settings = checked_settings(problem, options);
  devices.front()->begin_self_test("ecga");
  Recorder recorder(settings);
  std::vector<std::string> failures;
  for (;; devices = devices.subspan(1)) try {
      auto result = solve_on(settings, devices, watch, recorder);
      result.failures.insert(result.failures.begin(), failures.begin(), failures.end());
      first_launches.move_to_build(result.seconds);
      return result;
    } catch (const DeviceError& error) {
      if (devices.size() == 1) throw;
      failures.push_back(fmt::format("{}: {}", devices.front()->info().id, error.what()));
    }
}

Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control) {
  const std::shared_ptr<Device> devices[] = {borrow(device)};
  return solve(problem, options, devices, control);
}

Model build_model(std::span<const std::uint32_t> population, std::uint64_t individuals, std::uint32_t length,
                  const Options& given, Device& device) {
  const Problem problem{Objective::named("onemax"), length};
  if (individuals == 0) throw InvalidInput("`individuals` is 0; give 1 or more");
  auto options = given;
  options.population = individuals;
  options.tournament = 1;
  const auto settings = checked_settings(problem, options);
  if (population.size() != (std::uint64_t{length} + 31) / 32 * individuals)
    throw InvalidInput(fmt::format("`population` has {} words, which are not {} individuals of {} loci",
                                   population.size(), individuals, length));
  const auto choice = choose_counting(settings, device);
  const auto shape = fitting_shape(settings, choice.counting, device);
  const RunControl control;
  const Watch watch(control);
  return Run(settings, shape, choice.counting, device, watch).model_of(population);
}

double combined_complexity(std::span<const std::uint32_t> population, std::uint64_t individuals, const Model& model) {
  const auto count = static_cast<double>(individuals);
  double sum = 0;
  for (const auto& group : model) {
    std::vector<std::uint64_t> patterns(std::size_t{1} << group.size());
    for (std::uint64_t i = 0; i < individuals; ++i) {
      std::size_t pattern = 0;
      for (std::size_t s = 0; s < group.size(); ++s)
        pattern |= std::size_t{population[group[s] / 32 * individuals + i] >> group[s] % 32 & 1} << s;
      ++patterns[pattern];
    }
    for (const auto many : patterns)
      if (many > 0) sum -= static_cast<double>(many) * std::log2(static_cast<double>(many) / count);
    sum += std::log2(count + 1) * static_cast<double>(patterns.size() - 1);
  }
  return sum;
}

}  // namespace clopt::ecga
