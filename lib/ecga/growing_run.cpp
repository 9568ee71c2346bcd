#include "growing_run.hpp"

#include <clopt/ecga_runs.hpp>
#include <clopt/error.hpp>

#include <algorithm>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clopt::ecga {
namespace {

constexpr unsigned most_runs_in_vain = 2;

class GrowingRun {
 public:
  GrowingRun(const Problem& problem, const Options& options, const RunControl& control, const SolveOnce& once)
      : problem_(problem), given_(options), control_(control), once_(once), watch_(control), own_(options) {
    own_.population = complete(problem, options).population;
    if (given_.statistics) own_.statistics = [this](const Statistics& row) { report(row); };
  }

  Result solve() {
    while (make_run() && should_continue()) own_.population *= 2;
    best_->runs = std::move(runs_);
    best_->evaluations = evaluations_;
    if (!is_success_ && last_ending_ != Ending::stagnation) best_->ending = last_ending_;
    // The optimum ends the later runs, which had no other target.
    if (best_->ending == Ending::target && !given_.target) best_->ending = Ending::complete;
    return *std::move(best_);
  }

 private:
  bool is_better(double one, double other) const { return maximises(problem_) ? one > other : one < other; }

  // What fails once there is a result ends the growth alone: a population that does not fit, a device.
  bool make_run() {
    try {
      take(once_(own_, control_of_run()));
      return true;
    } catch (const Cancelled&) {
      if (!best_) throw;
      last_ending_ = watch_.interrupted() || is_stopped_ ? Ending::interrupted : Ending::time;
    } catch (const InvalidInput&) {
      if (!best_) throw;
    } catch (const DeviceError& error) {
      if (!best_) throw;
      best_->failures.emplace_back(error.what());
    } catch (const std::bad_alloc&) {
      if (!best_) throw;
    }
    return false;
  }

  void take(Result result) {
    evaluations_ += result.evaluations;
    generations_ += result.generations;
    rows_ += result.generations + 1;
    last_ending_ = result.ending;
    is_success_ = succeeded(problem_, given_, result);
    RunOutcome outcome{given_.seed,        is_success_,          result.best_fitness, result.generations,
                       result.evaluations, result.seconds.total, result.checksum};
    runs_.push_back({std::move(outcome), result.population});
    if (!best_ || is_better(result.best_fitness, best_->best_fitness)) {
      in_vain_ = 0;
      if (best_)
        std::swap(*best_, result);
      else
        best_ = std::exchange(result, {});
      best_point_.assign(best_->best_genes.begin(), best_->best_genes.end());
    } else {
      ++in_vain_;
    }
    // What all runs took.
    best_->launches += result.launches;
    best_->passes += result.passes;
    best_->merges += result.merges;
    best_->model_seconds += result.model_seconds;
    best_->device_bytes = std::max(best_->device_bytes, result.device_bytes);
    best_->failures.insert(best_->failures.end(), result.failures.begin(), result.failures.end());
    if (!best_->cluster) best_->cluster = result.cluster;
  }

  // Limits are of all runs together.
  bool should_continue() {
    if (is_success_ || watch_.expired() || is_stopped_) return false;
    // Who gives a limit wants what is known to be there.
    const bool is_limited = control_.time_limit || given_.generations || given_.evaluations;
    const bool is_known = given_.target || problem_.objective.optimum();
    if (in_vain_ >= most_runs_in_vain && !(is_known && is_limited)) return false;
    if (last_ending_ == Ending::time || last_ending_ == Ending::interrupted) return false;
    if (own_.population > most_individuals / 2) return false;
    if (given_.generations) {
      if (generations_ >= *given_.generations) return false;
      own_.generations = *given_.generations - generations_;
    }
    if (given_.evaluations) {
      if (evaluations_ + 2 * own_.population > *given_.evaluations) {
        last_ending_ = Ending::evaluations;
        return false;
      }
      own_.evaluations = *given_.evaluations - evaluations_;
    }
    if (!own_.target) own_.target = problem_.objective.optimum();
    return true;
  }

  RunControl control_of_run() {
    auto control = control_;
    if (control_.time_limit) control.time_limit = std::max(0.0, *control_.time_limit - watch_.seconds());
    if (control_.progress)
      control.progress = [this](const Progress& progress) {
        auto shown = progress;
        if (shown.evaluations) *shown.evaluations += evaluations_;
        if (best_ && !(shown.best && is_better(*shown.best, best_->best_fitness))) {
          shown.best = best_->best_fitness;
          shown.best_point = best_point_;
        }
        is_stopped_ = !control_.progress(shown);
        return !is_stopped_;
      };
    return control;
  }

  void report(Statistics row) const {
    row.generation += rows_;
    row.evaluations += evaluations_;
    if (best_ && is_better(best_->best_fitness, row.best_so_far)) row.best_so_far = best_->best_fitness;
    given_.statistics(row);
  }

  const Problem& problem_;
  const Options& given_;
  const RunControl& control_;
  const SolveOnce& once_;
  Watch watch_;
  Options own_;  // of the next run
  std::optional<Result> best_;
  std::vector<double> best_point_;
  std::vector<SizedRun> runs_;
  std::uint64_t evaluations_ = 0;
  std::uint64_t generations_ = 0;
  std::uint64_t rows_ = 0;  // of statistics
  unsigned in_vain_ = 0;
  bool is_success_ = false;
  bool is_stopped_ = false;
  Ending last_ending_ = Ending::complete;
};

}  // namespace

Result solve_growing(const Problem& problem, const Options& options, const RunControl& control, const SolveOnce& once) {
  return GrowingRun(problem, options, control, once).solve();
}

}  // namespace clopt::ecga
