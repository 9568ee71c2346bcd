/// \file
/// Keeps what a driver prints away from the process's standard output and error.
#pragma once

namespace clopt {

/// While one of these lives, and hide_driver_output() was called, what is written to the file descriptors 1 and 2 goes
/// to a file in memory. Threads may have one each: the first redirects, the last restores and logs the text under the
/// topic `build`. The driver runs without any lock of ours, so that one that hangs holds nobody else up.
class DriverOutput {
 public:
  DriverOutput();
  ~DriverOutput();
  DriverOutput(const DriverOutput&) = delete;
  DriverOutput& operator=(const DriverOutput&) = delete;

  /// Whether output is hidden at all: else there is nothing to wait for.
  static bool hides();

 private:
  bool active_;
};

}  // namespace clopt
