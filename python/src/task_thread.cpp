#include "task_thread.hpp"

#include <thread>
#include <utility>
#include <vector>

namespace clopt::python {
namespace {

std::mutex mutex_of_job;
std::shared_ptr<TaskThread> thread_of_job;

// Threads of calls at the same time that are kept for later ones.
constexpr std::size_t most_idle = 8;
std::mutex mutex_of_idle;
// Never destroyed: threads come back while the process ends.
auto& idle_threads = *new std::vector<std::shared_ptr<TaskThread>>;

}  // namespace

std::shared_ptr<TaskThread> TaskThread::begin() {
  const auto made = std::make_shared<TaskThread>();
  // It is detached, since it may be in a call of MPI, or in a launch, when the process ends.
  std::thread([made] { made->work(); }).detach();
  return made;
}

std::shared_ptr<TaskThread> TaskThread::begin_job() {
  const auto made = begin();
  const std::lock_guard lock(mutex_of_job);
  return thread_of_job = made;
}

std::shared_ptr<TaskThread> TaskThread::of_job() {
  const std::lock_guard lock(mutex_of_job);
  return thread_of_job;
}

std::shared_ptr<TaskThread> TaskThread::take_idle() {
  {
    const std::lock_guard lock(mutex_of_idle);
    if (!idle_threads.empty()) {
      auto taken = std::move(idle_threads.back());
      idle_threads.pop_back();
      return taken;
    }
  }
  return begin();
}

void TaskThread::give_back(const std::shared_ptr<TaskThread>& thread) {
  const std::lock_guard lock(mutex_of_idle);
  if (idle_threads.size() < most_idle)
    idle_threads.push_back(thread);
  else
    thread->end();
}

void TaskThread::lock_idle() { mutex_of_idle.lock(); }
void TaskThread::unlock_idle() { mutex_of_idle.unlock(); }
// What they hold may be locked for ever: they are left as they are.
void TaskThread::forget_idle() { (new std::vector<std::shared_ptr<TaskThread>>)->swap(idle_threads); }

void TaskThread::post(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(work));
  changed_.notify_all();
}

bool TaskThread::wait_until_idle(std::chrono::milliseconds longest) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, longest, [this] { return waiting_.empty() && !is_working_; });
}

void TaskThread::end() {
  {
    const std::lock_guard lock(mutex_of_job);
    if (thread_of_job.get() == this) thread_of_job.reset();
  }
  const std::lock_guard lock(mutex_);
  is_ending_ = true;
  changed_.notify_all();
}

void TaskThread::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return !waiting_.empty() || is_ending_; });
    if (waiting_.empty()) return;
    auto next = std::move(waiting_.front());
    waiting_.pop_front();
    is_working_ = true;
    lock.unlock();
    next();
    next = nullptr;
    lock.lock();
    is_working_ = false;
    changed_.notify_all();
  }
}

}  // namespace clopt::python
