/// \file
/// What the program can do: the subcommands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <frame/status.hpp>
#include "solver.hpp"

namespace clopt::apps {

/// A subcommand. Its function returns the exit status, or throws clopt::Error.
struct Subcommand {
  std::string_view name;
  std::string_view summary;
  int (*run)(const Arguments& arguments);
};

/// Every subcommand: the solvers' first, in the order of the list of solvers.
const std::vector<Subcommand>& subcommands();

/// The names of all solvers, as the user types them.
std::vector<std::string> solver_names();

}  // namespace clopt::apps
