#include "process_mutex.hpp"

#include <pthread.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace clopt {
namespace {

// A driver that hangs must not keep a process from forking for ever.
constexpr auto longest_wait = std::chrono::seconds(1);

std::atomic<unsigned> forks = 0;

}  // namespace

// Those that there are. A fork takes first those under which others are taken, as every thread does.
class ProcessMutex::All {
 public:
  static All& instance() {
    static auto* const all = new All;  // never destroyed: a process may fork while it ends
    return *all;
  }

  void add(ProcessMutex* mutex) {
    const std::lock_guard lock(mutex_);
    const auto behind =
        std::find_if(list_.begin(), list_.end(), [&](const auto* each) { return mutex->holding_ < each->holding_; });
    list_.insert(behind, mutex);
  }
  void remove(ProcessMutex* mutex) {
    const std::lock_guard lock(mutex_);
    std::erase(list_, mutex);
  }

 private:
  All() { ::pthread_atfork(before_fork, in_parent, in_child); }

  static void before_fork() {
    auto& all = instance();
    all.mutex_.lock();
    const auto latest = std::chrono::steady_clock::now() + longest_wait;
    for (auto* each : all.list_) each->take_for_fork(latest);
  }
  static void in_parent() {
    auto& all = instance();
    for (auto each = all.list_.rbegin(); each != all.list_.rend(); ++each) (*each)->give_back_in_parent();
    all.mutex_.unlock();
  }
  static void in_child() {
    ++forks;
    auto& all = instance();
    for (auto* each : all.list_) each->give_back_in_child();
    all.mutex_.unlock();
  }

  std::mutex mutex_;
  std::vector<ProcessMutex*> list_;
};

ProcessMutex::ProcessMutex(Holding holding) : holding_(holding) { All::instance().add(this); }
ProcessMutex::~ProcessMutex() { All::instance().remove(this); }

void ProcessMutex::lock() {
  mutex_.lock();
  owner_ = std::this_thread::get_id();
}

void ProcessMutex::unlock() {
  owner_ = std::thread::id();
  mutex_.unlock();
}

// What this thread holds, as in a driver that forks while it is looked for, it continues to hold.
void ProcessMutex::take_for_fork(std::chrono::steady_clock::time_point latest) {
  is_taken_for_fork_ = owner_ != std::this_thread::get_id() && mutex_.try_lock_until(latest);
}

void ProcessMutex::give_back_in_parent() {
  if (is_taken_for_fork_) mutex_.unlock();
}

void ProcessMutex::give_back_in_child() {
  if (is_taken_for_fork_) {
    mutex_.unlock();
  } else if (owner_ != std::this_thread::get_id()) {
    // Its owner is not in this process. It is made again where it is, without the end of one that is taken.
    std::construct_at(&mutex_);
    owner_ = std::thread::id();
  }
}

unsigned number_of_forks() { return forks; }

}  // namespace clopt
