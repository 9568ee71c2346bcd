/// \file
/// Runs that the library makes for itself, such as a device's self-test: they have no part in a job of MPI.
#pragma once

namespace clopt {

/// While there is one on a thread, this thread's runs are of this process alone.
class PrivateRun {
 public:
  PrivateRun() { ++depth_; }
  ~PrivateRun() { --depth_; }
  PrivateRun(const PrivateRun&) = delete;
  PrivateRun& operator=(const PrivateRun&) = delete;

  /// Whether there is one on this thread.
  static bool is_current() { return depth_ != 0; }

 private:
  static inline thread_local int depth_ = 0;
};

}  // namespace clopt
