/// \file
/// What every solver takes besides its problem: limits, a stop token, a progress callback.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>

namespace clopt {

/// Where a run stands, as its progress callback is told.
struct Progress {
  std::string_view phase;  ///< what the solver is doing, in its own terms ("sweep", "recovery")
  double done = 0;         ///< the part of the phase that is done, from 0 to 1
};

/// Controls of one run, the same for every solver. All are optional; none changes a result that is reached.
struct RunControl {
  /// Ends the run at the next launch, with the best found so far.
  std::stop_token stop;
  /// Seconds after which the run ends at the next launch, with the best found so far; none: no limit. At least 0.
  std::optional<double> time_limit;
  /// Called between launches, on the thread that called the solver; may be empty.
  std::function<void(const Progress&)> progress;
};

/// Watches the limits of one run from its construction on.
class Watch {
 public:
  explicit Watch(const RunControl& control) : control_(&control), begin_(Clock::now()) {}

  /// Seconds since the run began.
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  /// Whether the stop token was triggered.
  bool interrupted() const { return control_->stop.stop_requested(); }
  /// Whether the run must end now, interrupted or out of time.
  bool expired() const { return interrupted() || (control_->time_limit && seconds() >= *control_->time_limit); }
  /// Tells the progress callback, if there is one.
  void report(std::string_view phase, double done) const {
    if (control_->progress) control_->progress({phase, done});
  }

 private:
  using Clock = std::chrono::steady_clock;
  const RunControl* control_;
  Clock::time_point begin_;
};

}  // namespace clopt
