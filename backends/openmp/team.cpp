#include "team.hpp"

#include <clopt/detail/dropped_launches.hpp>

namespace clopt::openmp {
namespace {

thread_local unsigned threads_of_launch = 1;

}  // namespace

PooledTeam::PooledTeam(unsigned threads)
    : dropped_(DroppedLaunches::of_this_thread()), team_(kept_team(threads, Waiting::spinning)) {
  team_->leave_out_by(dropped_);
}

PooledTeam::~PooledTeam() { team_->leave_out_by(nullptr); }

void PooledTeam::require_whole() const {
  if (dropped_ && dropped_->stop_requested()) throw LaunchDropped();
}

unsigned threads() { return ThreadTeam::is_in_part() ? 1 : threads_of_launch; }

ThreadsOfLaunch::ThreadsOfLaunch(unsigned threads) : before_(std::exchange(threads_of_launch, threads)) {}
ThreadsOfLaunch::~ThreadsOfLaunch() { threads_of_launch = before_; }

}  // namespace clopt::openmp
