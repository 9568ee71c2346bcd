#include "evolution.hpp"

#include <clopt/checkpoint.hpp>
#include <clopt/detail/run_times.hpp>
#include <clopt/device.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <future>
#include <string>
#include <vector>

#include <device/solver_devices.hpp>
#include <objective/precision.hpp>
#include <objective/program.hpp>

#include <ecga/dimensions.hpp>
#include <ecga/model/logarithms.hpp>
#include "counting_choice.hpp"
#include "run.hpp"

namespace clopt::ecga {
namespace {

Ending ending_of(const Watch& watch) { return watch.interrupted() ? Ending::interrupted : Ending::time; }

/// Why a run must end now, if it must.
std::optional<Ending> ending_of(const Run& run, const Plan& plan, const Watch& watch) {
  const auto& limits = plan.options;
  const auto& now = run.statistics();
  if (plan.reaches_target(run.best_fitness())) return Ending::target;
  if (run.is_optimal() || run.has_converged()) return Ending::complete;
  if (limits.generations && now.generation >= *limits.generations) return Ending::generations;
  if (limits.evaluations && now.evaluations >= *limits.evaluations) return Ending::evaluations;
  if (limits.stagnation.value_or(0) != 0 && run.stagnant_generations() >= *limits.stagnation) return Ending::stagnation;
  if (run.is_expired()) return ending_of(watch);
  return std::nullopt;
}

Ending evolve(Run& run, const Plan& plan, const Watch& watch, Recorder& recorder) {
  const bool has_begun = run.begin(recorder.start());
  for (;;) {
    run.report();
    run.require_equal();
    recorder.record(run.statistics());
    if (!has_begun) return plan.reaches_target(run.best_fitness()) ? Ending::target : ending_of(watch);
    if (const auto ending = ending_of(run, plan, watch)) return *ending;
    if (run.statistics().generation > 0) recorder.save_if_due(run);
    if (!run.step()) return ending_of(watch);
  }
}

/// The same where the others may be stopped in the midst of a model: the population is that of the generation before
/// then.
Ending evolve_until_stopped(Run& run, const Plan& plan, const Watch& watch, Recorder& recorder) {
  try {
    return evolve(run, plan, watch, recorder);
  } catch (const Cancelled&) {
    if (!recorder.keeps_what_is_stopped() || run.statistics().evaluations == 0) throw;
    return Ending::interrupted;
  }
}

/// The table of logarithms: made while the choice of counting waits for kernels, unless it is so large that the memory
/// has to be looked at first. Where no thread is left, it is made when it is asked for.
std::future<Logarithms> begin_logarithms(const Plan& plan, const Device& device) {
  constexpr std::uint64_t most_ahead = std::uint64_t{1} << 21;
  const auto individuals = plan.options.population;
  const bool is_ahead = !device.info().launches_are_calls && individuals <= most_ahead;
  return std::async(is_ahead ? std::launch::async | std::launch::deferred : std::launch::deferred,
                    [individuals] { return Logarithms(static_cast<std::uint32_t>(individuals)); });
}

/// The sizes that fit all of the ranks' devices.
Dimensions common_dimensions(Dimensions dimensions, Peers& peers) {
  dimensions.most_row_loci = static_cast<std::uint32_t>(peers.least(dimensions.most_row_loci));
  dimensions.most_rows = static_cast<std::uint32_t>(peers.least(dimensions.most_rows));
  return dimensions;
}

}  // namespace

Result evolve_on(std::span<const std::shared_ptr<Device>> devices, const Plan& plan, const Watch& watch,
                 Recorder& recorder, Peers* peers) {
  auto& device = *devices.front();
  objective::require_device(device, plan.problem.objective, plan.is_double, why_doubles(plan.problem));
  auto logarithms = begin_logarithms(plan, device);
  const auto choice = choose_counting(plan, device);
  auto dimensions = fitting_dimensions(plan, choice.counting, device, peers ? peers->neighbours() : 1);
  if (peers) dimensions = common_dimensions(dimensions, *peers);
  Run run(plan, dimensions, choice.counting, device, watch, logarithms.get());
  run.share_with(devices.subspan(1));
  if (peers) run.work_with(*peers);

  TimedPart computing(TimePart::compute);
  Result result;
  result.ending = peers ? evolve_until_stopped(run, plan, watch, recorder) : evolve(run, plan, watch, recorder);
  // Once, so that the result is the one that was checked. This waits for what was begun beyond the end, too.
  const auto best = run.read_best();
  computing.end();
  recorder.save(run);
  {
    const TimedPart building(TimePart::build);
    try {
      result.unchecked = run.check_best(best);
    } catch (const DeviceError&) {
      if (plan.options.resume && recorder.start()) require_kept_fitness(*plan.options.resume, plan, *recorder.start());
      throw;
    }
  }
  result.search = result.method = name_of(plan.search);
  result.counting = name_of(choice.named);
  result.reason = choice.reason;
  result.best_fitness = run.best_fitness();
  result.best_genes = run.genes_of(best);
  result.model = run.best_model().model;
  result.model_generation = run.best_model().generation;
  result.models = run.models();
  result.population = plan.options.population;
  result.generations = run.statistics().generation;
  result.evaluations = run.statistics().evaluations;
  result.converged = run.has_converged();
  result.optimal = run.is_optimal();
  result.checksum = run.checksum(best);
  result.passes = run.passes();
  result.merges = run.merges();
  result.launches = run.launches();
  result.failures = run.failures();
  result.device_bytes = dimensions.bytes();
  result.model_seconds = run.model_seconds();
  result.first_pass_seconds = run.first_pass_seconds();
  return result;
}

Recorder::Recorder(const Plan& plan) : plan_(plan), watches_(true) {
  if (plan.options.resume) start_ = read_state(*plan.options.resume, plan);
}

void Recorder::record(const Statistics& statistics) {
  const auto& callback = plan_.options.statistics;
  if (!callback || (recorded_ && statistics.generation <= *recorded_)) return;
  recorded_ = statistics.generation;
  callback(statistics);
}

void Recorder::save_if_due(const Run& run) {
  const auto& checkpoint = plan_.options.checkpoint;
  if (checkpoint && run.statistics().generation >= saved_ && checkpoint->due()) save(run);
}

void Recorder::save(const Run& run) {
  if (!plan_.options.checkpoint) return;
  saved_ = run.statistics().generation;
  ecga::save(run.state(), plan_, *plan_.options.checkpoint);
}

// Where the device that has the population fails, the run restarts on the next one, and reaches the same states.
Result solve_by_process(const Problem& problem, const Options& options,
                        std::span<const std::shared_ptr<Device>> devices, const RunControl& control) {
  const Watch watch(control);
  const auto plan = make_plan(problem, options);
  Recorder recorder(plan);
  std::vector<std::string> failures;
  const auto able = objective::with_doubles(devices, plan.is_double, failures);
  able.front()->begin_self_test("ecga");
  for (devices = able;; devices = devices.subspan(1)) try {
      auto result = evolve_on(devices, plan, watch, recorder, nullptr);
      result.failures.insert(result.failures.begin(), failures.begin(), failures.end());
      return result;
    } catch (const DeviceError& error) {
      if (devices.size() == 1) throw;
      failures.push_back(fmt::format("{}: {}", devices.front()->info().id, error.what()));
    }
}

}  // namespace clopt::ecga
