#include "team.hpp"

#include <clopt/detail/dropped_launches.hpp>
#include <support/threads/process_mutex.hpp>

#include <iterator>
#include <mutex>

namespace clopt::openmp {
namespace {

thread_local unsigned threads_of_launch = 1;

}  // namespace

// The team used last is given first, since its threads may still be awake.
struct PooledTeam::Pool {
  ProcessMutex mutex{Holding::alone};
  std::vector<std::unique_ptr<ThreadTeam>> teams;

  std::unique_ptr<ThreadTeam> take(unsigned size) {
    const std::lock_guard lock(mutex);
    for (auto team = teams.rbegin(); team != teams.rend(); ++team)
      if ((*team)->size() == size) {
        auto taken = std::move(*team);
        teams.erase(std::next(team).base());
        return taken;
      }
    return nullptr;
  }
  void give_back(std::unique_ptr<ThreadTeam> team) {
    const std::lock_guard lock(mutex);
    teams.push_back(std::move(team));
  }

  // Never destroyed: threads that sleep when the process ends need not be awakened for it.
  static Pool& all() {
    static auto* const pool = new Pool;
    return *pool;
  }
};

PooledTeam::PooledTeam(unsigned threads)
    : dropped_(DroppedLaunches::of_this_thread()), team_(Pool::all().take(threads)) {
  if (!team_) team_ = std::make_unique<ThreadTeam>(threads, Waiting::spinning);
  team_->leave_out_by(dropped_);
}

PooledTeam::~PooledTeam() {
  team_->leave_out_by(nullptr);
  Pool::all().give_back(std::move(team_));
}

void PooledTeam::require_whole() const {
  if (dropped_ && dropped_->stop_requested()) throw LaunchDropped();
}

unsigned threads() { return ThreadTeam::is_in_part() ? 1 : threads_of_launch; }

ThreadsOfLaunch::ThreadsOfLaunch(unsigned threads) : before_(std::exchange(threads_of_launch, threads)) {}
ThreadsOfLaunch::~ThreadsOfLaunch() { threads_of_launch = before_; }

}  // namespace clopt::openmp
