/// \file
/// What every solver's run has in common: its limits, its progress, how it ended, and what its result contains.
#pragma once

#include <clopt/export.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace clopt {

namespace cluster {
struct Report;  // clopt/cluster.hpp
}

/// Why a run ended.
enum class Ending : std::uint8_t {
  complete,     ///< the work is finished: proven, converged, or every part ended by itself
  target,       ///< the target was reached
  generations,  ///< the limit of generations
  evaluations,  ///< the limit of evaluations
  time,         ///< the limit of time
  stagnation,   ///< the limit of generations without improvement
  interrupted   ///< the stop token, or a progress callback that returned false
};
/// "complete", "target", "generations", "evaluations", "time", "stagnation" or "interrupted".
CLOPT_API std::string_view name_of(Ending ending);

/// The state of a run that its progress callback gets. Valid during the call.
struct Progress {
  std::string_view phase;                ///< what the solver is doing, in its own terms ("sweep", "recovery")
  double done = 0;                       ///< the part of the phase that is done, from 0 to 1
  std::optional<double> best{};          ///< the best value so far, once there is one
  std::span<const double> best_point{};  ///< its genes or parameters, where they are on the host already; else empty
  /// Individuals or vectors evaluated so far, counted from the very start of the run; none where nothing is evaluated.
  std::optional<std::uint64_t> evaluations{};
};

/// Controls of one run, the same for every solver. All are optional; none changes a result that is reached.
struct RunControl {
  /// Ends the run at the next launch, with the best found so far.
  std::stop_token stop{};
  /// Seconds after which the run ends at the next launch, with the best found so far; none: no limit. At least 0.
  std::optional<double> time_limit{};
  /// Called between launches on the thread that called the solver, at most once in progress_interval. Returns whether
  /// to continue: after false it is not called again, and the run ends as by the stop token. What it throws ends the
  /// run and reaches the caller.
  std::function<bool(const Progress&)> progress{};
  /// The least seconds between two calls of progress, from 0 on.
  double progress_interval = 0.1;
};

/// One generation, as a statistics callback gets it; solvers add members.
struct GenerationStatistics {
  std::uint64_t generation = 0;   ///< 0 is the start population
  std::uint64_t evaluations = 0;  ///< individuals evaluated so far
  double best = 0;                ///< of this generation's values
  double mean = 0;
  double worst = 0;
};

/// The times of a run, in seconds: those of the thread that called the solver, so that the four parts add up. What is
/// done beside the work counts as the work.
struct RunSeconds {
  double total = 0;    ///< what the caller waited, from the problem in memory to the checked result
  double open = 0;     ///< opening drivers and contexts
  double build = 0;    ///< building programs and kernels, and testing what was built
  double compute = 0;  ///< from the first to the last work of the solver proper
  double other = 0;    ///< the rest: bounds, preparation, checkpoints, checks

  /// Sets the total.
  void add_up() { total = open + build + compute + other; }
  /// Of runs one after the other.
  RunSeconds& operator+=(const RunSeconds& next) {
    open += next.open;
    build += next.build;
    compute += next.compute;
    other += next.other;
    add_up();
    return *this;
  }
};

/// What a device did of a run.
struct DevicePart {
  std::string id;
  std::string name;
  double share = 0;    ///< of the work that the result is made of, from 0 to 1
  double seconds = 0;  ///< for which it had the run, or of several devices for which it was at work
  /// For which it was opened, its kernels were built and its speed was measured, beside the run: not in RunSeconds.
  double beside = 0;
  std::vector<std::string> failures{};  ///< how it has failed; none where it has not
};

/// The part that all solvers' results have in common.
struct RunResult {
  std::string method;  ///< the one used: the one asked for, or the one that `auto` chose
  std::string reason;  ///< why this one
  Ending ending = Ending::complete;
  std::uint64_t checksum = 0;  ///< of the final state: equal on every device
  RunSeconds seconds;
  std::uint64_t launches = 0;         ///< kernels launched
  std::vector<std::string> failures;  ///< devices that failed during the run, and why; the others did their work
  /// Of a run whose device the work chose (Devices::automatic()), in the order of their first parts; of several devices
  /// that have shared a run, in their order; else none.
  std::vector<DevicePart> devices;
  /// Why the best was not evaluated again on the host; empty where it was. A difference is a DeviceError.
  std::string unchecked;
  /// What the ranks of a job have done; none outside a job.
  std::shared_ptr<const cluster::Report> cluster;

  bool interrupted() const { return ending == Ending::interrupted; }
};

/// Watches the limits of one run from its construction on, and reports its progress. Threads may ask whether it must
/// end; report() is for the thread that called the solver.
class CLOPT_API Watch {
 public:
  explicit Watch(const RunControl& control) : control_(&control), begin_(Clock::now()) {}

  /// Seconds since the run began.
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  /// Whether the stop token was triggered, or the progress callback said so.
  bool interrupted() const { return ended_by_callback_ || control_->stop.stop_requested(); }
  /// Whether the run must end now, interrupted or out of time.
  bool expired() const { return interrupted() || (control_->time_limit && seconds() >= *control_->time_limit); }
  /// Whether report() would call the callback now. Ask it first where progress is expensive to compute.
  bool report_due() const {
    return control_->progress && !ended_by_callback_ && (!reported_ || Clock::now() >= next_report_);
  }
  /// Calls the progress callback, if there is one and it is due.
  void report(std::string_view phase, double done, std::optional<double> best = std::nullopt,
              std::span<const double> best_point = {}, std::optional<std::uint64_t> evaluations = std::nullopt) const {
    if (!report_due()) return;
    if (!control_->progress({phase, done, best, best_point, evaluations})) ended_by_callback_ = true;
    reported_ = true;
    next_report_ = Clock::now() + interval();
  }

 private:
  using Clock = std::chrono::steady_clock;

  // Any number may be given; what is none, or below 0, is 0.
  Clock::duration interval() const {
    constexpr double longest = 1e9;
    const double given = control_->progress_interval;
    const double seconds = given > 0 ? (given < longest ? given : longest) : 0;
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  const RunControl* control_;
  Clock::time_point begin_;
  mutable std::atomic<bool> ended_by_callback_ = false;
  mutable bool reported_ = false;
  mutable Clock::time_point next_report_{};
};

}  // namespace clopt
