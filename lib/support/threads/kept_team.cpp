#include "kept_team.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

#include "process_mutex.hpp"

namespace clopt {
namespace {

// The team used last is given first, since its threads may still be awake. Never destroyed: threads that sleep when the
// process ends need not be awakened for it, and those of another process cannot be.
struct Pool {
  ProcessMutex mutex{Holding::alone};
  std::vector<KeptTeam> teams;

  static Pool& all() {
    static auto* const pool = new Pool;
    return *pool;
  }
};

}  // namespace

void KeepTeam::operator()(ThreadTeam* team) const {
  if (waiting == Waiting::spinning_in_use) team->rest();
  auto& pool = Pool::all();
  const std::lock_guard lock(pool.mutex);
  pool.teams.emplace_back(team, *this);
}

KeptTeam kept_team(unsigned threads, Waiting waiting) {
  const KeepTeam kind{waiting, usable_cores(), number_of_forks()};
  if (threads == 0) threads = kind.cores;
  auto& pool = Pool::all();
  {
    const std::lock_guard lock(pool.mutex);
    const auto found = std::find_if(pool.teams.rbegin(), pool.teams.rend(), [&](const auto& team) {
      return team.get_deleter() == kind && team->size() == threads;
    });
    if (found != pool.teams.rend()) {
      auto team = std::move(*found);
      pool.teams.erase(std::next(found).base());
      return team;
    }
  }
  return KeptTeam(new ThreadTeam(threads, waiting), kind);
}

}  // namespace clopt
