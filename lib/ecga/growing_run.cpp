#include "growing_run.hpp"

#include <clopt/cluster.hpp>
#include <clopt/ecga_runs.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ecga/plan.hpp>
#include <run/nested_run.hpp>

namespace clopt::ecga {
namespace {

constexpr unsigned most_runs_in_vain = 2;

// Local optima need fewer individuals; where these are too few, later runs have more.
constexpr std::uint64_t individuals_in_place_of_one = 8;

std::uint64_t first_population(const Problem& problem, const Options& options) {
  const auto plan = make_plan(problem, options);
  const auto usual = plan.options.population;
  if (plan.improve == Improve::none) return usual;
  return std::max<std::uint64_t>(usual / individuals_in_place_of_one, options.tournament);
}

/// What devices did in several runs; shares are of all evaluations.
void add_devices(std::vector<DevicePart>& all, const Result& result, double weight) {
  for (auto& each : all) each.share *= 1 - weight;
  for (const auto& part : result.devices) {
    auto known = std::find_if(all.begin(), all.end(), [&](const DevicePart& each) { return each.id == part.id; });
    if (known == all.end()) known = all.insert(all.end(), {part.id, part.name});
    known->share += weight * part.share;
    known->seconds += part.seconds;
    known->beside += part.beside;
    known->failures.insert(known->failures.end(), part.failures.begin(), part.failures.end());
  }
}

class GrowingRun {
 public:
  GrowingRun(const Problem& problem, const Options& options, const RunControl& control, const SolveOnce& once)
      : problem_(problem), given_(options), control_(control), once_(once), watch_(control), own_(options) {
    own_.population = first_population(problem, options);
    if (given_.statistics) own_.statistics = [this](const Statistics& row) { report(row); };
  }

  Result solve() {
    while (make_run() && should_continue()) own_.population *= 2;
    auto result = *std::move(best_);
    result.runs = std::move(runs_);
    result.evaluations = evaluations_;
    result.launches = sums_.launches;
    result.passes = sums_.passes;
    result.merges = sums_.merges;
    result.model_seconds = sums_.model_seconds;
    result.device_bytes = sums_.device_bytes;
    result.failures = std::move(sums_.failures);
    result.devices = std::move(sums_.devices);
    result.cluster = std::move(sums_.cluster);
    if (cut_) result.ending = *cut_;
    // The optimum ends the later runs, which had no other target.
    if (result.ending == Ending::target && !given_.target) result.ending = Ending::complete;
    if (!failure_.empty())
      result.reason +=
          fmt::format("; a run of {} individuals failed ({}), so smaller ones count", own_.population, failure_);
    return result;
  }

 private:
  bool is_better(double one, double other) const { return maximises(problem_) ? one > other : one < other; }

  // Once there is a result, only the growth fails: by a device, or a population that does not fit. What the caller's
  // own functions throw is the caller's.
  bool make_run() {
    try {
      take(once_(own_, control_of_run()));
      return true;
    } catch (const Cancelled&) {
      if (!best_) throw;
      cut_ = watch_.interrupted() ? Ending::interrupted : Ending::time;
    } catch (const DeviceError& error) {
      keep_failure(error.what());
    } catch (const InvalidInput& error) {
      if (problem_.objective.is_function()) throw;
      keep_failure(error.what());
    } catch (const std::bad_alloc&) {
      if (problem_.objective.is_function()) throw;
      keep_failure("memory ran out");
    }
    return false;
  }

  // To be called in a handler.
  void keep_failure(std::string_view text) {
    if (!best_ || is_thrown_by_caller_) throw;
    failure_ = text;
  }

  void take(Result result) {
    const bool is_first = !best_;
    is_success_ = succeeded(problem_, given_, result);
    runs_.push_back({{given_.seed, is_success_, result.best_fitness, result.generations, result.evaluations,
                      result.seconds.total, result.checksum},
                     result.population});
    add_to_sums(result);
    if (result.ending == Ending::time || result.ending == Ending::interrupted || result.ending == Ending::generations ||
        result.ending == Ending::evaluations)
      cut_ = result.ending;
    in_vain_ = is_first || is_better(result.best_fitness, best_->best_fitness) ? 0 : in_vain_ + 1;
    if (in_vain_ > 0) return;
    best_point_.assign(result.best_genes.begin(), result.best_genes.end());
    best_ = std::move(result);
  }

  void add_to_sums(const Result& result) {
    evaluations_ += result.evaluations;
    generations_ += result.generations;
    sums_.launches += result.launches;
    sums_.passes += result.passes;
    sums_.merges += result.merges;
    sums_.model_seconds += result.model_seconds;
    sums_.device_bytes = std::max(sums_.device_bytes, result.device_bytes);
    for (const auto& failure : result.failures)
      if (std::find(sums_.failures.begin(), sums_.failures.end(), failure) == sums_.failures.end())
        sums_.failures.push_back(failure);
    add_devices(sums_.devices, result, static_cast<double>(result.evaluations) / static_cast<double>(evaluations_));
    // The last of those that ranks have shared, if they have.
    if (result.cluster && (!sums_.cluster || result.cluster->alone.empty() || !sums_.cluster->alone.empty()))
      sums_.cluster = result.cluster;
  }

  // Limits are of all runs together.
  bool should_continue() {
    if (is_success_ || best_->optimal || in_vain_ == most_runs_in_vain) return false;
    if (!cut_ && watch_.expired()) cut_ = watch_.interrupted() ? Ending::interrupted : Ending::time;
    if (!cut_ && given_.generations && generations_ >= *given_.generations) cut_ = Ending::generations;
    if (!cut_ && given_.evaluations && evaluations_ + 2 * own_.population > *given_.evaluations)
      cut_ = Ending::evaluations;
    if (cut_ || own_.population > most_individuals / 2) return false;
    if (given_.generations) own_.generations = *given_.generations - generations_;
    if (given_.evaluations) own_.evaluations = *given_.evaluations - evaluations_;
    if (!own_.target) own_.target = problem_.objective.optimum();
    return true;
  }

  RunControl control_of_run() {
    auto control = nested_control(control_, watch_);
    // What is no limit is refused by the run.
    if (control_.time_limit && !(*control_.time_limit >= 0)) control.time_limit = control_.time_limit;
    if (control_.progress)
      control.progress = [this](const Progress& progress) {
        auto best = progress.best;
        auto point = progress.best_point;
        if (best_ && !(best && is_better(*best, best_->best_fitness))) {
          best = best_->best_fitness;
          point = best_point_;
        }
        const auto evaluations = evaluations_ + progress.evaluations.value_or(0);
        call([&] { watch_.report(progress.phase, progress.done, best, point, evaluations); });
        return !watch_.interrupted();
      };
    return control;
  }

  // Generations are counted on, and the start population of a later run is none.
  void report(Statistics row) {
    if (best_ && row.generation == 0) return;
    row.generation += generations_;
    row.evaluations += evaluations_;
    if (best_ && is_better(best_->best_fitness, row.best_so_far)) row.best_so_far = best_->best_fitness;
    call([&] { given_.statistics(row); });
  }

  // Calls the caller's code.
  template <class Call>
  void call(const Call& own) {
    try {
      own();
    } catch (...) {
      is_thrown_by_caller_ = true;
      throw;
    }
  }

  const Problem& problem_;
  const Options& given_;
  const RunControl& control_;
  const SolveOnce& once_;
  Watch watch_;
  Options own_;  // of the next run
  std::optional<Result> best_;
  std::vector<double> best_point_;
  Result sums_;  // of what all runs took
  std::vector<SizedRun> runs_;
  std::uint64_t evaluations_ = 0;
  std::uint64_t generations_ = 0;
  unsigned in_vain_ = 0;
  bool is_success_ = false;
  bool is_thrown_by_caller_ = false;
  std::optional<Ending> cut_;  // what ended the growth before its time
  std::string failure_;
};

}  // namespace

Result solve_growing(const Problem& problem, const Options& options, const RunControl& control, const SolveOnce& once) {
  return GrowingRun(problem, options, control, once).solve();
}

}  // namespace clopt::ecga
