/// \file
/// Ctrl-C and SIGTERM.
#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace clopt::apps {

/// Turns SIGINT and SIGTERM into a stop request: the first asks the run to end with the best so far, the second kills.
/// Work that does not end within 10 s after the first is ended, with the name of the call that it is in.
/// Before begin_work() there is nothing to save, and the first ends the program at once.
/// The signals are blocked in every thread, so the object must be made before any other thread, and one thread waits
/// for them; no code runs in a signal handler.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// The one that main() made.
  static Interruption& instance();

  /// From here on the first signal asks for the end. \returns what to ask.
  std::stop_token begin_work();

 private:
  void watch();
  [[noreturn]] static void end_process();

  sigset_t signals_{};
  std::atomic<bool> at_work_{false};
  std::atomic<bool> ending_{false};
  std::stop_source stop_;
  std::thread watcher_;
};

}  // namespace clopt::apps
