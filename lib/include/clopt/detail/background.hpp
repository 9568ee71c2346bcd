/// \file
/// Work beside runs that no run waits for: a GPU is opened, and tried; code is optimised. A process may end while a
/// driver is in the midst of it.
#pragma once

#include <clopt/export.hpp>

#include <stop_token>

namespace clopt {

/// Marks the calling thread's work as such. The process's end then asks it to stop, and waits half a second for it:
/// drivers must not be torn down under a call. A call that takes longer is left where it is, and the process ends
/// without what else it had to do at its end.
class CLOPT_API BackgroundWork {
 public:
  /// \param stops_soon whether it does once it is asked to: each end of the process waits for it then.
  explicit BackgroundWork(bool stops_soon = false);
  ~BackgroundWork();
  BackgroundWork(const BackgroundWork&) = delete;
  BackgroundWork& operator=(const BackgroundWork&) = delete;

  /// Whether the process ends.
  std::stop_token stop() const { return stop_; }
  /// To be called once a driver is loaded, whose own end must come after the wait.
  static void guard_driver();

 private:
  std::stop_token stop_;
  unsigned forks_;
  bool stops_soon_;
};

/// While there is one, a driver starts beside a run: launches on many threads leave it one. Threads that share a core
/// with it would wait for each other.
class CLOPT_API DriverStart {
 public:
  DriverStart();
  ~DriverStart();
  DriverStart(const DriverStart&) = delete;
  DriverStart& operator=(const DriverStart&) = delete;
  /// Of this process.
  static bool is_under_way();
};

/// Asks all such work to stop, and waits for it: half a second at least for what stops soon. \returns whether there is
/// none left.
CLOPT_API bool end_background_work(double seconds);

}  // namespace clopt
