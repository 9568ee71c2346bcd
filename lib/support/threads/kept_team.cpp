#include "kept_team.hpp"

#include <algorithm>
#include <cstddef>
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

constexpr std::ptrdiff_t most_of_a_kind = 4;

}  // namespace

void KeepTeam::operator()(ThreadTeam* team) const {
  if (waiting == Waiting::spinning_in_use) team->rest();
  auto& pool = Pool::all();
  {
    const std::lock_guard lock(pool.mutex);
    const auto is_alike = [&](const auto& other) { return other.get_deleter() == *this; };
    // One of another process cannot be ended.
    if (forks != number_of_forks() || std::count_if(pool.teams.begin(), pool.teams.end(), is_alike) < most_of_a_kind)
      return void(pool.teams.emplace_back(team, *this));
  }
  delete team;
}

KeptTeam kept_team(unsigned threads, Waiting waiting) {
  KeepTeam kind{threads == 0 ? usable_cores() : threads, waiting, {}, number_of_forks()};
  ::sched_getaffinity(0, sizeof kind.cores, &kind.cores);
  auto& pool = Pool::all();
  {
    const std::lock_guard lock(pool.mutex);
    const auto found = std::find_if(pool.teams.rbegin(), pool.teams.rend(),
                                    [&](const auto& team) { return team.get_deleter() == kind; });
    if (found != pool.teams.rend()) {
      auto team = std::move(*found);
      pool.teams.erase(std::next(found).base());
      return team;
    }
  }
  return KeptTeam(new ThreadTeam(kind.size, waiting), kind);
}

}  // namespace clopt
