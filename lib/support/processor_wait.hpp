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
  /// Looks at the process; its threads may take turns between two looks. Of threads that wait at the same time the
  /// one that waits longest counts. \returns the seconds from its start on; 0 where the system does not tell.
  double seconds(pid_t process);

 private:
  // Adds to the threads what they have waited since the last look. \returns the most of a thread.
  double look(pid_t process);

  std::map<pid_t, double> threads_;
  double seconds_ = 0;
};

}  // namespace clopt
