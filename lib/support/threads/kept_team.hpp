/// \file
/// Teams of threads that outlive their users.
#pragma once

#include <sched.h>

#include <memory>

#include "thread_team.hpp"

namespace clopt {

/// Keeps a team for the next user of one like it.
struct KeepTeam {
  unsigned size = 0;
  Waiting waiting{};
  cpu_set_t cores{};   ///< that its maker could use: threads inherit them
  unsigned forks = 0;  ///< that lay before this process

  void operator()(ThreadTeam* team) const;
  friend bool operator==(const KeepTeam& a, const KeepTeam& b) {
    return a.size == b.size && a.waiting == b.waiting && a.forks == b.forks && CPU_EQUAL(&a.cores, &b.cores);
  }
};

/// A team of its user alone, which the next user of one like it takes: to begin and end 16 threads takes 2 ms. Four of
/// a kind are kept until the process ends; a child of a fork makes its own.
using KeptTeam = std::unique_ptr<ThreadTeam, KeepTeam>;

/// \param threads 0: as many as usable_cores().
KeptTeam kept_team(unsigned threads = 0, Waiting waiting = Waiting::sleeping);

}  // namespace clopt
