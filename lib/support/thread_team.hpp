/// \file
/// Threads of the host that share out a solver's own work.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace clopt {

/// Cores that this process may use, as the system's affinity mask has it; at least 1.
unsigned usable_cores();

/// Some threads, the caller's included, which wait for work between calls.
class ThreadTeam {
 public:
  /// \param threads 0: as many as usable_cores(). They begin with the first work that has several parts.
  explicit ThreadTeam(unsigned threads = 0);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  unsigned size() const;
  /// Does all parts, each once, in any order, and waits for them. Called by one thread at a time. \throws what a part
  /// throws, the first one to do so; parts that were not begun by then are left out.
  void run(std::size_t parts, const std::function<void(std::size_t)>& work);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace clopt
