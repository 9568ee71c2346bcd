/// \file
/// A mutex of the whole process that survives a fork.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

namespace clopt {

/// What a thread does while it holds a mutex.
enum class Holding {
  others,  ///< it may take mutexes of the other kind
  alone    ///< it takes no other mutex
};

/// A mutex of something that a process has once. A process that forks takes all of them first, so that its child,
/// which has none of its other threads, finds them free and what they guard whole. Those that stay taken, as while a
/// driver is looked for, delay a fork by a second: the child then has them unlocked. exec and posix_spawn take none.
class ProcessMutex {
 public:
  explicit ProcessMutex(Holding holding);
  ~ProcessMutex();
  ProcessMutex(const ProcessMutex&) = delete;
  ProcessMutex& operator=(const ProcessMutex&) = delete;

  void lock();
  void unlock();

 private:
  class All;

  void take_for_fork(std::chrono::steady_clock::time_point latest);
  void give_back_in_parent();
  void give_back_in_child();

  const Holding holding_;
  std::timed_mutex mutex_;
  std::atomic<std::thread::id> owner_;
  bool is_taken_for_fork_ = false;
};

/// How many forks lie between this process and the first one that has had a ProcessMutex. What was noted of threads
/// when there were fewer is of another process, but for the thread that forked.
unsigned number_of_forks();

}  // namespace clopt
