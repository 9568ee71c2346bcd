#include "caller.hpp"

#include <chrono>
#include <thread>
#include <utility>

namespace clopt::python {
namespace nb = nanobind;
namespace {

constexpr auto signal_interval = std::chrono::milliseconds(50);

thread_local Caller* caller_of_this_thread = nullptr;

}  // namespace

Caller* Caller::of_this_thread() { return caller_of_this_thread; }

void Caller::begin(std::function<void()> job) {
  std::thread([self = shared_from_this(), job = std::move(job)]() mutable {
    caller_of_this_thread = self.get();
    std::exception_ptr error;
    try {
      job();
    } catch (...) {
      error = std::current_exception();
    }
    job = nullptr;
    const std::lock_guard lock(self->mutex_);
    self->job_error_ = std::move(error);
    self->ended_ = true;
    self->changed_.notify_all();
  }).detach();
}

bool Caller::run(std::function<void()> job) {
  begin(std::move(job));
  if (!wait()) return false;
  // What Python raised is the reason for what the run threw.
  if (error_ && !interrupted_) throw std::move(*error_);
  if (job_error_ && !interrupted_) std::rethrow_exception(job_error_);
  return job_error_ == nullptr;
}

bool Caller::wait() {
  while (true) {
    const std::function<void()>* work = nullptr;
    {
      const nb::gil_scoped_release released;
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, signal_interval, [&] { return ended_ || work_; });
      if (ended_) return true;
      work = work_;
    }
    if (work) serve(*work);
    if (!look_for_signals()) return false;
  }
}

void Caller::serve(const std::function<void()>& work) {
  Outcome outcome = Outcome::done;
  if (!error_) {
    try {
      work();
    } catch (nb::python_error& error) {
      take(error);
    } catch (const std::exception& error) {
      PyErr_SetString(PyExc_TypeError, error.what());
      nb::python_error python;
      take(python);
    }
  }
  if (error_) outcome = interrupted_ ? Outcome::interrupted : Outcome::failed;
  const std::lock_guard lock(mutex_);
  outcome_ = outcome;
  work_ = nullptr;
  changed_.notify_all();
}

void Caller::take(nb::python_error& error) {
  if (error.matches(PyExc_KeyboardInterrupt)) {
    interrupted_ = true;
    ++interrupts_;
  }
  if (!error_) error_.emplace(std::move(error));
  stop_.request_stop();
}

bool Caller::look_for_signals() {
  if (PyErr_CheckSignals() != 0) {
    nb::python_error error;
    take(error);
  }
  if (interrupts_ < 2) return true;
  const std::lock_guard lock(mutex_);
  left_ = true;
  work_ = nullptr;
  changed_.notify_all();
  return false;
}

Caller::Outcome Caller::call(const std::function<void()>& work) {
  std::unique_lock lock(mutex_);
  if (left_) return Outcome::failed;
  work_ = &work;
  changed_.notify_all();
  changed_.wait(lock, [&] { return !work_; });
  return left_ ? Outcome::failed : outcome_;
}

}  // namespace clopt::python
