// Clock, sleep, threads and condition variables of a simulated machine, in place of the C++ library's: threads are
// actors of SimGrid. Linked with -Bsymbolic, so that the program's own calls come here and SimGrid's do not. All actors
// run on one thread and none is interrupted, so that mutexes, which no actor holds while it waits, are never waited
// for.
#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <simgrid/s4u.hpp>
#include <thread>
#include <vector>

namespace s4u = simgrid::s4u;

namespace {

// By the number that std::thread knows; kept, since one that has ended may be joined.
std::map<std::thread::native_handle_type, s4u::ActorPtr>& actors() {
  static std::map<std::thread::native_handle_type, s4u::ActorPtr> all;
  return all;
}

// Who waits for a condition variable, by its address.
std::map<const void*, std::list<s4u::SemaphorePtr>>& waiting() {
  static std::map<const void*, std::list<s4u::SemaphorePtr>> all;
  return all;
}

double seconds_of(const timespec& time) {
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// No actor comes between the two first lines and the wait, so that no notification is lost.
// \returns whether it was notified.
bool wait(const void* condition, pthread_mutex_t* mutex, std::optional<double> seconds) {
  const auto semaphore = s4u::Semaphore::create(0);
  waiting()[condition].push_back(semaphore);
  pthread_mutex_unlock(mutex);
  bool has_expired = false;
  if (seconds)
    has_expired = semaphore->acquire_timeout(*seconds);
  else
    semaphore->acquire();
  waiting()[condition].remove(semaphore);
  pthread_mutex_lock(mutex);
  return !has_expired;
}

void notify(const void* condition, std::size_t most) {
  auto& all = waiting()[condition];
  std::vector<s4u::SemaphorePtr> woken;
  for (; !all.empty() && woken.size() < most; all.pop_front()) woken.push_back(all.front());
  for (const auto& semaphore : woken) semaphore->release();
}

}  // namespace

std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept {
  return time_point(duration_cast<duration>(std::chrono::duration<double>(s4u::Engine::get_clock())));
}

extern "C" int nanosleep(const timespec* time, timespec*) {
  s4u::this_actor::sleep_for(seconds_of(*time));
  return 0;
}

void std::thread::_M_start_thread(_State_ptr state, void (*)()) {
  const auto shared = std::shared_ptr<_State>(std::move(state));
  const auto actor = s4u::Actor::create("thread", s4u::this_actor::get_host(), [shared] { shared->_M_run(); });
  const auto number = static_cast<native_handle_type>(actor->get_pid());
  actors()[number] = actor;
  _M_id = id(number);
}

void std::thread::join() {
  const auto number = native_handle();
  actors().at(number)->join();
  actors().erase(number);
  _M_id = id();
}

void std::thread::detach() {
  actors().erase(native_handle());
  _M_id = id();
}

extern "C" int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t,
                                      const timespec* until) {
  // SimGrid takes 0 for ever; a time that was rounded leaves as little.
  constexpr double shortest = 1e-6;
  const double seconds = seconds_of(*until) - s4u::Engine::get_clock();
  return wait(condition, mutex, std::max(shortest, seconds)) ? 0 : ETIMEDOUT;
}

void std::condition_variable::wait(std::unique_lock<std::mutex>& lock) {
  ::wait(native_handle(), lock.mutex()->native_handle(), std::nullopt);
}
void std::condition_variable::notify_one() noexcept { notify(native_handle(), 1); }
void std::condition_variable::notify_all() noexcept { notify(native_handle(), ~std::size_t{0}); }
