/// \file
/// What the program can do: the subcommands.
#pragma once

#include <optional>
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
  std::string_view short_name = {};  ///< what may be typed instead; empty: nothing
  bool works_alone = false;          ///< whether it is long work that the ranks of a job of MPI do not share

  bool is_called(std::string_view word) const { return !word.empty() && (word == name || word == short_name); }
};

/// Every subcommand: the solvers' first, in the order of the list of solvers.
const std::vector<Subcommand>& subcommands();

/// The names of all solvers, as the user types them.
std::vector<std::string> solver_names();
/// A solver's name, where its short one was given; else what was given.
std::optional<std::string> full_name(std::optional<std::string> solver);

}  // namespace clopt::apps
