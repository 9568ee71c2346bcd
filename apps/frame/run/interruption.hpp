/// \file
/// Ctrl-C and SIGTERM.
#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace clopt::apps {

/// Turns SIGINT and SIGTERM into a stop request: the first asks the run to end with the best so far, the second kills.
/// Work that does not end soon after the first is ended, with what it has so far and the name of the call that it is
/// in. Before begin_work() there is nothing to save, and the first ends the program at once. The signals are blocked in
/// every thread, so the object must be made before any other thread, and one thread waits for them; no code runs in a
/// signal handler.
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
  friend class ReportingWork;

  void watch();
  [[noreturn]] void end_process();

  sigset_t signals_{};
  std::atomic<bool> at_work_{false};
  std::atomic<bool> ending_{false};
  std::stop_source stop_;
  std::mutex mutex_;
  std::function<void()> report_;  // under the mutex
  std::thread watcher_;
};

/// Work that prints what it has so far where it does not end within 1.7 s after the signal.
class ReportingWork {
 public:
  /// \param report prints the message, on a thread of its own.
  explicit ReportingWork(std::function<void()> report);
  ~ReportingWork() { end(); }
  ReportingWork(const ReportingWork&) = delete;
  ReportingWork& operator=(const ReportingWork&) = delete;

  const std::stop_token& stop() const { return stop_; }
  /// The work has all it will have, and prints it itself from here on.
  void end();

 private:
  std::stop_token stop_;
};

}  // namespace clopt::apps
