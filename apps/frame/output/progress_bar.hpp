/// \file
/// A progress bar on standard error.
#pragma once

#include <clopt/run.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace clopt::apps {

/// The line: what is done, how much of it, the best value so far, evaluations a second where there is room for them,
/// and how long it will take, where that is known. \param seconds since the phase began; \param left seconds until the
/// time limit, or none; \param rate evaluations a second, or none. At most 79 characters.
std::string progress_line(const Progress& progress, double seconds, std::optional<double> left,
                          std::optional<double> rate = std::nullopt);

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
  Clock::time_point next_;  // when it may change
  Clock::time_point phase_begin_;
  std::string phase_;
  std::optional<std::uint64_t> evaluations_begin_;  // of the phase
  std::optional<Clock::time_point> end_;
};

}  // namespace clopt::apps
