/// \file
/// Time that a process could have used a processor that others had.
#pragma once

#include <sys/types.h>

#include <map>

namespace clopt {

/// Follows how long a process, with those that it has started, has waited for processors while it could run. Sleeping
/// and waiting for anything else do not count.
class ProcessorWait {
 public:
  /// Looks at the process. Of what its threads have waited since the last look, the longest wait counts, so that
  /// threads that take turns between looks count one after the other. Linux tells of a wait when it ends: waits at the
  /// same time that are told in different looks count twice. \returns the seconds so far; 0 where the system does not
  /// tell.
  double seconds(pid_t process);

 private:
  // Adds to the threads what they have waited since the last look. \returns the most of a thread.
  double look(pid_t process);

  std::map<pid_t, double> threads_;
  double seconds_ = 0;
};

}  // namespace clopt
