/// \file
/// The environment variables that the launcher of a job has set for this process.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace clopt::cluster {

/// A launcher, and the processes that it says to have started.
struct Launcher {
  std::string name;                  ///< as messages call it
  unsigned ranks = 1;                ///< processes of the job
  std::optional<unsigned> rank{};    ///< of this one
  std::vector<std::string> modules;  ///< the MPI libraries that it may be of, by the names of their modules
};

/// The launcher that has started this process; none where there is none, or CLOPT_CLUSTER is `off`.
std::optional<Launcher> find_launcher();

}  // namespace clopt::cluster
