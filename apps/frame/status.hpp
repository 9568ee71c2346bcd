/// \file
/// The arguments and the exit status of a subcommand.
#pragma once

#include <string>
#include <vector>

namespace clopt::apps {

/// The words after the subcommand's name.
using Arguments = std::vector<std::string>;

/// The program's exit statuses.
enum Status : int {
  done = 0,
  wrong_use = 2,      ///< wrong use or bad input
  device_failed = 3,  ///< no such device, or the device failed; memory or what else the system gives ran out
  not_reached = 4,    ///< ended without what was asked for
  interrupted = 130   ///< by a signal
};

}  // namespace clopt::apps
