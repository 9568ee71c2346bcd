/// \file
/// What the trials of all runs of a process have in common.
#pragma once

#include <support/threads/process_mutex.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace clopt {

// Begins trials in time. One thread of the process waits for all runs, so that short ones cost no thread.
class TrialTimer {
 public:
  using Clock = std::chrono::steady_clock;

  // A fork's child has a thread of its own.
  static TrialTimer& instance() {
    static auto* const mutex = new ProcessMutex(Holding::alone);
    static std::pair<unsigned, TrialTimer*> current{0, nullptr};  // never destroyed: its thread outlives the others
    const std::lock_guard lock(*mutex);
    if (current.second == nullptr || current.first != number_of_forks()) current = {number_of_forks(), new TrialTimer};
    return *current.second;
  }

  /// \throws std::system_error where no thread can be begun.
  void call_at(Clock::time_point time, std::function<void()> work) {
    const std::lock_guard lock(mutex_);
    if (!has_thread_) std::thread([this] { serve(); }).detach();
    has_thread_ = true;
    const bool is_first = calls_.empty() || time < calls_.begin()->first;
    calls_.emplace(time, std::move(work));
    if (is_first) changed_.notify_one();
  }

 private:
  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (calls_.empty()) {
        changed_.wait(lock);
      } else if (const auto first = calls_.begin(); first->first <= Clock::now()) {
        const auto work = std::move(first->second);
        calls_.erase(first);
        lock.unlock();
        work();
        lock.lock();
      } else {
        changed_.wait_until(lock, first->first);
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool has_thread_ = false;
  std::multimap<Clock::time_point, std::function<void()>> calls_;
};

// One trial at a time: others would take its time, and build the same kernels.
class TrialSlot {
 public:
  TrialSlot() = default;
  ~TrialSlot() {
    if (is_taken_) holder = 0;
  }
  TrialSlot(const TrialSlot&) = delete;
  TrialSlot& operator=(const TrialSlot&) = delete;

  bool take() {
    // That of a process which this one is a fork of has ended with it.
    const unsigned own = number_of_forks() + 1;
    unsigned known = holder;
    is_taken_ = known != own && holder.compare_exchange_strong(known, own);
    return is_taken_;
  }

 private:
  static inline std::atomic<unsigned> holder = 0;
  bool is_taken_ = false;
};

}  // namespace clopt
