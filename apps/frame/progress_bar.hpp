/// \file
/// A progress bar on standard error.
#pragma once

#include <clopt/run.hpp>

#include <chrono>

namespace clopt::apps {

/// A line that shows where a run stands, wiped at the end. It shows nothing where
/// standard error is no terminal.
class ProgressBar {
 public:
  explicit ProgressBar(bool wanted);
  ~ProgressBar() { wipe(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// \returns true: the run continues.
  bool show(const Progress& progress);
  void wipe();

 private:
  using Clock = std::chrono::steady_clock;
  bool wanted_;
  bool drawn_ = false;
  Clock::time_point next_;  // when it may change
};

}  // namespace clopt::apps
