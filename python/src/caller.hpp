/// \file
/// The thread that called from Python, while a run's own thread computes. It waits without the interpreter's lock,
/// looks for signals, and runs what the run wants of Python.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace clopt::python {

/// Thrown through the library where Python code has raised: the caller's thread has the exception.
struct PythonFailed : std::exception {
  const char* what() const noexcept override { return "Python code raised an exception"; }
};

/// Whether this thread may take the interpreter's lock; once it has it, it calls end_to_take_lock(). A thread that
/// takes it while Python ends would be ended where it stands, by an unwinding that C++'s frames do not let through.
bool begin_to_take_lock();
void end_to_take_lock();

/// Calls a function of Python for a run. Where Python ends meanwhile, it ends this thread within the function, by an
/// unwinding that would destroy C++'s objects, Python's among them, without the interpreter's lock: the thread then
/// stays here. \throws nanobind::python_error what the function raises.
nanobind::object call_function(nanobind::handle function, std::initializer_list<nanobind::handle> arguments);
nanobind::object call_function(nanobind::handle function, const nanobind::tuple& arguments);

/// What a run has of the generation within which it ended: it was dropped, unless it was the first one.
struct LeftGeneration {
  bool is_first = false;      ///< what was left out has the worst value there
  std::size_t evaluated = 0;  ///< individuals
  std::optional<double> best{};
  std::vector<double> point{};  ///< the genes of the best one
};

class Caller : public std::enable_shared_from_this<Caller> {
 public:
  /// What became of work that was asked of Python.
  enum class Outcome {
    done,
    interrupted,  ///< Ctrl-C, now or before: the run is to end with what it has
    failed        ///< it raised, now or before, or the call was abandoned
  };

  /// \param can_stop whether tasks end soon after stop_token() says so. One that does not is left alone, whatever a
  /// signal's handler raises.
  explicit Caller(bool can_stop = true) : can_stop_(can_stop) {}

  /// The caller whose run the calling thread computes; null on other threads.
  static Caller* of_this_thread();
  /// Whether the calling thread is in a function of Python that a run has asked for.
  static bool is_asked();

  /// Runs a task on another thread (TaskThread), in a job of MPI on that one's. To be called with the interpreter's
  /// lock, by a thread that may wait. Signals are looked for every 20 ms. Ctrl-C stops the task; where it has not ended
  /// 140 ms later (it may be in a long launch, or in a compiler) it is left alone, and ends by itself. \throws what the
  /// task throws, and what work raised in Python. \returns whether the task has ended with what it computes.
  bool run(std::function<void()> task);

  /// Has the caller run something with the interpreter's lock, and waits for it. For the task's thread.
  Outcome call(const std::function<void()>& work);

  std::stop_token stop_token() const { return stop_.get_token(); }
  /// Whether the run is to end with what it has: what is called for each individual need not be called any more.
  bool is_ending() const { return stop_.stop_requested(); }
  /// Sets the limit of time, from now on; and whether the run resumes one that had a first generation.
  void begin_run(std::optional<double> time_limit, bool resumes);
  bool resumes() const { return resumes_; }
  /// The same as is_ending(), or since the limit of time has passed.
  bool is_over() const { return is_ending() || (deadline_ && std::chrono::steady_clock::now() >= *deadline_); }
  /// Notes the generation that the run leaves. For the task's thread.
  void note_left(LeftGeneration left) { left_generation_ = std::move(left); }
  /// To be called once the task has ended.
  const std::optional<LeftGeneration>& left_generation() const { return left_generation_; }
  /// Notes that individuals got values that are not theirs, since the run is ending.
  void note_guess() { has_guessed_ = true; }
  bool has_guessed() const { return has_guessed_; }
  /// Ends the run as Ctrl-C does, but with its result.
  void request_stop() { stop_.request_stop(); }
  /// Ends the run as Ctrl-C does, once the work that calls this has returned: what it gives is taken.
  void interrupt_after_work() {
    is_interrupt_due_ = true;
    stop_.request_stop();
  }
  /// Stops the tasks of all threads, and waits for them and for those that were left alone, for some seconds at most:
  /// before Python ends. A thread whose task continues then never comes back to Python. To be called with the
  /// interpreter's lock, by the thread that ends Python, which has no task.
  static void end_all();
  /// Whether Ctrl-C has ended the run.
  bool interrupted() const { return interrupted_; }

 private:
  void begin(std::function<void()> task);
  bool wait();
  void serve(const std::function<void()>& work);
  bool look_for_signals();
  void take(nanobind::python_error& error);

  const bool can_stop_;
  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* work_ = nullptr;
  Outcome outcome_ = Outcome::done;
  bool ended_ = false;
  bool left_ = false;
  std::exception_ptr task_error_;
  std::atomic<bool> has_guessed_ = false;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  bool resumes_ = false;
  std::optional<LeftGeneration> left_generation_;
  // Of the caller's thread alone.
  std::optional<nanobind::python_error> error_;
  bool interrupted_ = false;
  bool is_interrupt_due_ = false;
  std::optional<std::chrono::steady_clock::time_point> abandon_at_;  ///< when it is left alone
};

}  // namespace clopt::python
