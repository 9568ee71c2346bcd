/// \file
/// A progress bar on standard error.
#pragma once

#include <clopt/run.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace clopt::apps {

/// How fast a run is.
struct Pace {
  double phase_seconds = 0;                    ///< since the phase began
  double seconds = 0;                          ///< since the run began
  std::optional<double> limit = std::nullopt;  ///< the run's seconds at most; none: it has no limit
  std::optional<double> rate = std::nullopt;   ///< evaluations a second, where they are known
};

/// The line: the phase, how much of it, or of the time limit where that will end it earlier, is done, the best value so
/// far, the time that the run has taken and, where it is known, will take. Evaluations a second, the time taken and the
/// bar are left out, in this order, where \param width characters have no room for them.
std::string progress_line(const Progress& progress, const Pace& pace, std::size_t width = 79);

/// A line that shows where a run stands, wiped at the end. It shows nothing where
/// standard error is not a terminal.
class ProgressBar {
 public:
  explicit ProgressBar(bool wanted);
  ~ProgressBar() { wipe(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// \returns true: the run continues.
  bool show(const Progress& progress);
  void wipe();
  /// The run ends within this many seconds from now; none: it has no limit.
  void set_time_limit(std::optional<double> seconds);

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<double> rate(const Progress& progress, double seconds) const;

  bool wanted_;
  bool drawn_ = false;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_;  // when it may change
  Clock::time_point phase_begin_;
  std::string phase_;
  std::optional<std::uint64_t> evaluations_begin_;  // of the phase
  std::optional<double> limit_;                     // seconds from the beginning on
};

}  // namespace clopt::apps
