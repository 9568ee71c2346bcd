#include "job_thread.hpp"

#include <thread>
#include <utility>

namespace clopt::python {
namespace {

std::mutex mutex_of_current;
std::shared_ptr<JobThread> current_thread;

}  // namespace

std::shared_ptr<JobThread> JobThread::begin() {
  const auto made = std::make_shared<JobThread>();
  // It is detached, since it may be in a call of MPI, or in a launch, when the process ends.
  std::thread([made] { made->work(); }).detach();
  const std::lock_guard lock(mutex_of_current);
  return current_thread = made;
}

std::shared_ptr<JobThread> JobThread::current() {
  const std::lock_guard lock(mutex_of_current);
  return current_thread;
}

void JobThread::post(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(work));
  changed_.notify_all();
}

bool JobThread::wait_until_idle(std::chrono::milliseconds longest) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, longest, [this] { return waiting_.empty() && !is_working_; });
}

void JobThread::end() {
  {
    const std::lock_guard lock(mutex_of_current);
    if (current_thread.get() == this) current_thread.reset();
  }
  const std::lock_guard lock(mutex_);
  is_ending_ = true;
  changed_.notify_all();
}

void JobThread::work() {
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
