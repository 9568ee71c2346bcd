#include <clopt/detail/background.hpp>
#include <support/threads/process_mutex.hpp>

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <thread>

namespace clopt {
namespace {

constexpr double seconds_at_the_end = 0.5;

// Work of a process; a fork's child, which has none of its threads, has its own.
struct WorkOfProcess {
  std::atomic<int> under_way = 0;
  std::stop_source stop;
  unsigned forks = number_of_forks();
};

ProcessMutex& work_mutex() {
  static auto* const mutex = new ProcessMutex(Holding::alone);
  return *mutex;
}

// Never destroyed: threads may still run when the process ends.
std::atomic<WorkOfProcess*> current = nullptr;

WorkOfProcess& work_of_process() {
  const std::lock_guard lock(work_mutex());
  auto* known = current.load();
  if (known == nullptr || known->forks != number_of_forks()) current = known = new WorkOfProcess;
  return *known;
}

void end_at_exit(int status, void*) {
  if (end_background_work(seconds_at_the_end)) return;
  std::cout.flush();
  std::fflush(nullptr);
  _exit(status);
}

}  // namespace

BackgroundWork::BackgroundWork() : forks_(number_of_forks()) {
  static std::once_flag guarded;
  std::call_once(guarded, guard_driver);
  auto& work = work_of_process();
  stop_ = work.stop.get_token();
  ++work.under_way;
}

BackgroundWork::~BackgroundWork() {
  if (forks_ == number_of_forks()) --work_of_process().under_way;
}

bool BackgroundWork::is_under_way() {
  const auto* const work = current.load();
  return work != nullptr && work->under_way > 0 && work->forks == number_of_forks();
}

// The function that is registered last is called first.
void BackgroundWork::guard_driver() { ::on_exit(end_at_exit, nullptr); }

bool end_background_work(double seconds) {
  auto& work = work_of_process();
  if (work.under_way == 0) return true;
  work.stop.request_stop();
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (work.under_way > 0) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace clopt
