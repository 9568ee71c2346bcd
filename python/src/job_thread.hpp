/// \file
/// The thread of this process that calls MPI.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace clopt::python {

/// Works at what it is given, in order. MPI_THREAD_FUNNELED leaves MPI to the thread that has initialised it, and runs
/// of solvers reach MPI: while a process is in a job, they have this thread in place of one of their own.
class JobThread : public std::enable_shared_from_this<JobThread> {
 public:
  /// Begins the thread, which is the current one from now on.
  static std::shared_ptr<JobThread> begin();
  /// None outside a job.
  static std::shared_ptr<JobThread> current();

  /// \param work throws nothing.
  void post(std::function<void()> work);
  /// \returns whether it has done all its work within this time.
  bool wait_until_idle(std::chrono::milliseconds longest);
  /// It ends once it has done its work; it is the current one no more.
  void end();

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool is_working_ = false;
  bool is_ending_ = false;
};

}  // namespace clopt::python
