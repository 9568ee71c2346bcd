/// \file
/// Threads that compute runs: the one that calls MPI in a job, and those that are kept from call to call.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace clopt::python {

/// Works at what it is given, in order.
class TaskThread : public std::enable_shared_from_this<TaskThread> {
 public:
  /// Begins the thread of a job of MPI. MPI_THREAD_FUNNELED leaves MPI to the thread that has initialised it, and runs
  /// of solvers reach MPI: while a process is in a job, they have this thread in place of one of their own.
  static std::shared_ptr<TaskThread> begin_job();
  /// None outside a job.
  static std::shared_ptr<TaskThread> of_job();

  /// A thread that has nothing to do: OpenMP's threads, which belong to the one that begins them, are kept with it.
  static std::shared_ptr<TaskThread> take_idle();
  /// Makes a thread idle again. It may be at the end of its work.
  static void give_back(const std::shared_ptr<TaskThread>& thread);
  /// Calls around a fork, whose child has no threads.
  static void lock_idle();
  static void unlock_idle();
  static void forget_idle();

  /// \param work throws nothing.
  void post(std::function<void()> work);
  /// \returns whether it has done all its work within this time.
  bool wait_until_idle(std::chrono::milliseconds longest);
  /// It ends once it has done its work; it is the job's no more.
  void end();

 private:
  static std::shared_ptr<TaskThread> begin();
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool is_working_ = false;
  bool is_ending_ = false;
};

}  // namespace clopt::python
