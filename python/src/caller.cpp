#include "caller.hpp"

#include <clopt/detail/background.hpp>

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>
#include <utility>

#include "task_thread.hpp"

namespace clopt::python {
namespace nb = nanobind;
namespace {

using Clock = std::chrono::steady_clock;
// Together less than the 0.2 s within which an interruption ends a call.
constexpr auto signal_interval = std::chrono::milliseconds(20);
constexpr auto interrupt_grace_period = std::chrono::milliseconds(140);
constexpr auto exit_grace_period = std::chrono::milliseconds(1700);
constexpr double seconds_for_background = 0.5;

// Tasks that were abandoned.
std::atomic<int> left_tasks = 0;

// Callers that wait for their tasks.
std::mutex waiting_mutex;
std::set<Caller*> waiting;

// A caller among those that wait.
class Waiting {
 public:
  explicit Waiting(Caller& caller) : caller_(caller) {
    const std::lock_guard lock(waiting_mutex);
    waiting.insert(&caller_);
  }
  ~Waiting() {
    const std::lock_guard lock(waiting_mutex);
    waiting.erase(&caller_);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  Caller& caller_;
};

// The thread that ends Python, once it does.
std::atomic<std::thread::id> ending_thread;
std::atomic<int> takers = 0;

// In a process that another one has forked there are none of its threads.
[[maybe_unused]] const int forks = ::pthread_atfork(
    [] {
      waiting_mutex.lock();
      TaskThread::lock_idle();
    },
    [] {
      TaskThread::unlock_idle();
      waiting_mutex.unlock();
    },
    [] {
      TaskThread::forget_idle();
      TaskThread::unlock_idle();
      waiting.clear();
      left_tasks = 0;
      takers = 0;
      waiting_mutex.unlock();
    });

// What Python would not let come back stays where it is, until the process ends.
[[noreturn]] void stay() {
  while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

// Holds a thread that is being ended.
class Held {
 public:
  Held() = default;
  ~Held() {
    if (!has_returned_) stay();
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  void note_return() { has_returned_ = true; }

 private:
  bool has_returned_ = false;
};

// Does something without the interpreter's lock. Where Python ends meanwhile, it does not return.
template <class Work>
void without_lock(const Work& work) {
  auto* const state = PyEval_SaveThread();
  work();
  if (!begin_to_take_lock()) stay();
  PyEval_RestoreThread(state);
  end_to_take_lock();
}

thread_local Caller* caller_of_this_thread = nullptr;
// Functions of Python that runs have asked for, one within the other.
thread_local int asked_of_this_thread = 0;

}  // namespace

bool begin_to_take_lock() {
  ++takers;
  const auto ending = ending_thread.load();
  if (ending == std::thread::id() || ending == std::this_thread::get_id()) return true;
  --takers;
  return false;
}

void end_to_take_lock() { --takers; }

nb::object call_function(nb::handle function, std::initializer_list<nb::handle> arguments) {
  const auto tuple = nb::steal<nb::tuple>(PyTuple_New(static_cast<Py_ssize_t>(arguments.size())));
  if (!tuple) throw nb::python_error();
  Py_ssize_t i = 0;
  for (const auto& each : arguments) PyTuple_SetItem(tuple.ptr(), i++, nb::borrow(each).release().ptr());
  return call_function(function, tuple);
}

nb::object call_function(nb::handle function, const nb::tuple& arguments) {
  // The last object here, and so the first whose destructor an unwinding runs.
  Held held;
  auto* const result = PyObject_CallObject(function.ptr(), arguments.ptr());
  held.note_return();
  if (!result) throw nb::python_error();
  return nb::steal(result);
}

Caller* Caller::of_this_thread() { return caller_of_this_thread; }
bool Caller::is_asked() { return asked_of_this_thread > 0; }

void Caller::begin(std::function<void()> task) {
  const auto job = TaskThread::of_job();
  const auto thread = job ? job : TaskThread::take_idle();
  thread->post([self = shared_from_this(), task = std::move(task), kept = job ? nullptr : thread]() mutable {
    caller_of_this_thread = self.get();
    std::exception_ptr error;
    try {
      task();
    } catch (...) {
      error = std::current_exception();
    }
    task = nullptr;
    caller_of_this_thread = nullptr;
    // Before the caller knows, whose next call then finds it.
    if (kept) TaskThread::give_back(kept);
    const std::lock_guard lock(self->mutex_);
    self->task_error_ = std::move(error);
    self->ended_ = true;
    if (self->left_) --left_tasks;
    self->changed_.notify_all();
  });
}

void Caller::begin_run(std::optional<double> time_limit, bool resumes) {
  constexpr double longest = 1e9;
  if (time_limit && *time_limit < longest)
    deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*time_limit));
  resumes_ = resumes;
}

bool Caller::run(std::function<void()> task) {
  const Waiting among(*this);
  begin(std::move(task));
  const bool has_ended = wait();
  // An exception's traceback holds the frames that hold this.
  auto error = std::exchange(error_, std::nullopt);
  if (interrupted_ && can_stop_) return has_ended && !task_error_;
  // What Python raised is the reason for what the run threw.
  if (error) throw std::move(*error);
  if (task_error_) std::rethrow_exception(std::exchange(task_error_, nullptr));
  return true;
}

bool Caller::wait() {
  while (true) {
    const std::function<void()>* work = nullptr;
    bool has_ended = false;
    without_lock([&] {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, interrupted_ ? signal_interval / 2 : signal_interval, [&] { return ended_ || work_; });
      has_ended = ended_;
      work = work_;
    });
    if (has_ended) return true;
    if (work) serve(*work);
    if (!look_for_signals()) return false;
  }
}

void Caller::serve(const std::function<void()>& work) {
  Outcome outcome = Outcome::done;
  if (!error_) {
    ++asked_of_this_thread;
    try {
      work();
    } catch (nb::python_error& error) {
      take(error);
    } catch (const std::exception& error) {
      PyErr_SetString(PyExc_TypeError, error.what());
      nb::python_error python;
      take(python);
    }
    --asked_of_this_thread;
  }
  if (error_) outcome = interrupted_ ? Outcome::interrupted : Outcome::failed;
  {
    const std::lock_guard lock(mutex_);
    outcome_ = outcome;
    work_ = nullptr;
  }
  // The thread that wakes finds the lock free.
  changed_.notify_all();
}

void Caller::take(nb::python_error& error) {
  if (error.matches(PyExc_KeyboardInterrupt)) interrupted_ = true;
  if (interrupted_ || !can_stop_) abandon_at_ = Clock::now() + interrupt_grace_period;
  if (!error_) error_.emplace(std::move(error));
  stop_.request_stop();
}

bool Caller::look_for_signals() {
  const bool is_due = std::exchange(is_interrupt_due_, false);
  if (is_due) PyErr_SetNone(PyExc_KeyboardInterrupt);
  if (is_due || PyErr_CheckSignals() != 0) {
    nb::python_error error;
    take(error);
  }
  if (!abandon_at_ || Clock::now() < *abandon_at_) return true;
  const std::lock_guard lock(mutex_);
  if (ended_) return true;
  left_ = true;
  ++left_tasks;
  work_ = nullptr;
  changed_.notify_all();
  return false;
}

void Caller::end_all() {
  const auto is_idle = [] {
    const std::lock_guard lock(waiting_mutex);
    for (auto* const each : waiting) each->request_stop();
    return waiting.empty() && left_tasks == 0;
  };
  const nb::gil_scoped_release released;
  const auto end = Clock::now() + exit_grace_period;
  while (!is_idle() && Clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  end_background_work(seconds_for_background);
  ending_thread = std::this_thread::get_id();
  while (takers > 0) std::this_thread::yield();
}

Caller::Outcome Caller::call(const std::function<void()>& work) {
  std::unique_lock lock(mutex_);
  if (left_) return Outcome::failed;
  work_ = &work;
  lock.unlock();
  changed_.notify_all();
  lock.lock();
  changed_.wait(lock, [&] { return !work_; });
  return left_ ? Outcome::failed : outcome_;
}

}  // namespace clopt::python
