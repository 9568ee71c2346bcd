/// \file
/// Ends a run whose solver does not return: a driver, a compiler or an objective may hang.
#pragma once

#include <clopt/run.hpp>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <frame/options/common_options.hpp>
#include <frame/output/progress_bar.hpp>

namespace clopt::apps {

/// The best that a run's progress callback got last.
struct BestSoFar {
  double value = 0;
  std::vector<double> point;  ///< empty where the solver reports none
};

/// What the result of a run that does not end by itself is made of.
struct RunDescription {
  std::string solver{};                          ///< the subcommand
  std::string method{};                          ///< as it was asked for
  bool has_target = false;                       ///< whether ending by the time limit misses what was asked for
  std::function<Json(const BestSoFar&)> best{};  ///< the result's field `best`; none: {"value", "point"}
  bool has_points = false;                       ///< whether a best value is nothing without its point
  /// Writes what the run's files wait for, on any thread. \returns what went wrong; empty texts for what did not.
  std::function<std::vector<std::string>()> save{};
  /// On any thread: the result's field `best` of a solver that has more to report than progress does; none where it
  /// has found nothing.
  std::function<std::optional<Json>()> found{};
};

/// A solver's call under a clock. The library ends a run at the next launch; where that launch, or a build or an
/// objective, does not return, this prints the best so far with the name of the call, and ends the process with the
/// status that the run would have had: `grace` after the time limit, or after the first signal that asks for the end.
/// The time limit counts from the construction on: opening devices and building kernels are in it.
class Watchdog {
 public:
  /// Seconds from a limit to the end of the process, which takes a moment itself.
  static constexpr double grace = 1.7;

  /// Begins the work: from here on the first signal asks for the end.
  Watchdog(const CommonOptions& common, RunDescription run);
  ~Watchdog() { end(); }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Names the devices of the result.
  void set_devices(const std::vector<DeviceInfo>& devices);
  /// The controls of the run that begins now: stop token, what is left of the time, and progress, which goes to \p bar.
  RunControl control(ProgressBar& bar);
  /// The run has returned: nothing is ended from here on.
  void end();
  /// The result is printed, and something follows that may hang, too. It is under the same limits, whose clock stood
  /// still since end(); where it does not end by itself, the process does, as where a file cannot be written.
  /// \param missing what the message says then ("the picture a.svg is not drawn").
  void proceed(std::string missing);

 private:
  using Clock = std::chrono::steady_clock;

  void keep(const Progress& progress);
  double seconds() const;  // since the construction
  void watch(const std::stop_token& over);
  [[noreturn]] void end_process(bool interrupted);
  [[noreturn]] void end_printed_process(bool interrupted, const std::string& missing);

  CommonOptions common_;
  RunDescription run_;
  std::stop_token stop_;
  Clock::time_point begin_ = Clock::now();
  std::optional<Clock::time_point> deadline_;
  Clock::time_point ended_{};  // when end() was called last

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<Clock::time_point> interrupted_;  // when the first signal came; under the mutex
  std::vector<DeviceInfo> devices_;               // under the mutex
  std::optional<BestSoFar> best_;                 // under the mutex
  std::string phase_;                             // as progress has named it last; under the mutex
  std::string missing_;                           // by proceed(); under the mutex

  std::jthread watcher_;
};

}  // namespace clopt::apps
