#include <clopt/detail/background.hpp>
#include <support/threads/process_mutex.hpp>

#include <unistd.h>

#include <algorithm>
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

std::atomic<int> starting = 0;
std::atomic<unsigned> starting_forks = 0;

// Work of a process; a fork's child, which has none of its threads, has its own.
struct WorkOfProcess {
  std::atomic<int> under_way = 0;
  std::atomic<int> stops_soon = 0;  ///< of it
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

BackgroundWork::BackgroundWork(bool stops_soon) : forks_(number_of_forks()), stops_soon_(stops_soon) {
  static std::once_flag guarded;
  std::call_once(guarded, guard_driver);
  auto& work = work_of_process();
  stop_ = work.stop.get_token();
  // In this order, and the other way round at the end: what stops soon is known as such for as long as it counts.
  if (stops_soon_) ++work.stops_soon;
  ++work.under_way;
}

BackgroundWork::~BackgroundWork() {
  if (forks_ != number_of_forks()) return;
  auto& work = work_of_process();
  --work.under_way;
  if (stops_soon_) --work.stops_soon;
}

DriverStart::DriverStart() {
  // Those of a fork's parent are not this process's.
  if (starting_forks.exchange(number_of_forks()) != number_of_forks()) starting = 0;
  ++starting;
}
DriverStart::~DriverStart() { --starting; }
bool DriverStart::is_under_way() { return starting > 0 && starting_forks == number_of_forks(); }

// The function that is registered last is called first.
void BackgroundWork::guard_driver() { ::on_exit(end_at_exit, nullptr); }

bool end_background_work(double seconds) {
  auto& work = work_of_process();
  if (work.under_way == 0) return true;
  work.stop.request_stop();
  const auto begin = std::chrono::steady_clock::now();
  while (work.under_way > 0) {
    const auto wait = work.stops_soon > 0 ? std::max(seconds, seconds_at_the_end) : seconds;
    if (std::chrono::steady_clock::now() - begin >= std::chrono::duration<double>(wait)) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace clopt
