/// \file
/// Teams of threads that outlive their users.
#pragma once

#include <memory>

#include "thread_team.hpp"

namespace clopt {

/// Keeps a team for the next user of one like it.
struct KeepTeam {
  Waiting waiting{};
  unsigned cores = 0;  ///< that the process could use when the team was made
  unsigned forks = 0;  ///< that lay before this process

  void operator()(ThreadTeam* team) const;
  friend bool operator==(const KeepTeam&, const KeepTeam&) = default;
};

/// A team of its user alone, which the next user of one like it takes: to begin and end 16 threads takes 2 ms. Teams
/// stay until the process ends; a child of a fork makes its own.
using KeptTeam = std::unique_ptr<ThreadTeam, KeepTeam>;

/// \param threads 0: as many as usable_cores().
KeptTeam kept_team(unsigned threads = 0, Waiting waiting = Waiting::sleeping);

}  // namespace clopt
