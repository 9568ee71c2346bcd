/// \file
/// Time that a process could have used a processor that others had.
#pragma once

#include <sys/types.h>

namespace clopt {

/// The longest that a thread of a process has waited for a processor while it could run, in seconds; 0 where the system
/// does not tell. Sleeping and waiting for anything else do not count.
double seconds_without_processor(pid_t process);

}  // namespace clopt
