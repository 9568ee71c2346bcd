#include "thread_team.hpp"

#include <sched.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace clopt {

unsigned usable_cores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return static_cast<unsigned>(std::max(CPU_COUNT(&cores), 1));
  return std::max(std::thread::hardware_concurrency(), 1U);  // more cores than the mask has room for
}

struct ThreadTeam::State {
  unsigned size = 1;
  std::vector<std::thread> threads;
  std::mutex mutex;
  std::condition_variable begun, ended;
  const std::function<void(std::size_t)>* work = nullptr;
  std::size_t next = 0, parts = 0, working = 0;
  std::exception_ptr error;
  bool ending = false;

  // Executes parts until none is left. The lock is held except during the work itself.
  void take_parts(std::unique_lock<std::mutex>& lock) {
    while (next < parts) {
      const auto part = next++;
      lock.unlock();
      std::exception_ptr own;
      try {
        (*work)(part);
      } catch (...) {
        own = std::current_exception();
      }
      lock.lock();
      if (!own) continue;
      if (!error) error = own;
      next = parts;
    }
  }

  void serve() {
    std::unique_lock lock(mutex);
    for (;;) {
      begun.wait(lock, [this] { return ending || next < parts; });
      if (ending) return;
      ++working;
      take_parts(lock);
      if (--working == 0) ended.notify_all();
    }
  }
};

ThreadTeam::ThreadTeam(unsigned threads) : state_(std::make_unique<State>()) {
  state_->size = threads > 0 ? threads : usable_cores();
}

ThreadTeam::~ThreadTeam() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->ending = true;
  }
  state_->begun.notify_all();
  for (auto& thread : state_->threads) thread.join();
}

unsigned ThreadTeam::size() const { return state_->size; }

void ThreadTeam::run(std::size_t parts, const std::function<void(std::size_t)>& work) {
  auto& state = *state_;
  std::unique_lock lock(state.mutex);
  while (parts > 1 && state.threads.size() + 1 < state.size) state.threads.emplace_back([&state] { state.serve(); });
  state.work = &work;
  state.error = nullptr;
  state.next = 0;
  state.parts = parts;
  if (parts > 1) state.begun.notify_all();
  state.take_parts(lock);
  state.ended.wait(lock, [&state] { return state.working == 0; });
  if (state.error) std::rethrow_exception(std::exchange(state.error, nullptr));
}

}  // namespace clopt
