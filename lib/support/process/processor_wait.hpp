/// \file
/// Time that a process has waited for a processor.
#pragma once

#include <sys/types.h>

#include <map>

namespace clopt {

/// Follows how long a process, with those that it has started, has waited for processors while it could run. Sleeping
/// and waiting for anything else do not count.
class ProcessorWait {
 public:
  /// Samples the process. Of the waits of its threads since the last sample the longest counts, so that threads that
  /// take turns between samples count one after the other. Linux accounts a wait when it ends: simultaneous waits that
  /// end in different samples count twice. \returns the seconds so far; 0 where the system does not account them.
  double seconds(pid_t process);

 private:
  // Adds to the threads what they have waited since the last look. \returns the most of a thread.
  double look(pid_t process);

  std::map<pid_t, double> threads_;
  double seconds_ = 0;
};

}  // namespace clopt
