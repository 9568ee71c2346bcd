/// \file
/// A solver as the program has it. Each describes itself in apps/solvers/<solver>/solver.hpp.
#pragma once

#include <clopt/run.hpp>
#include <clopt/shard.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <frame/status.hpp>
#include "benchmark.hpp"
#include "validation.hpp"

namespace clopt::apps {

/// The slices of a whole run, by their numbers, none missing, and what is to be made of them.
struct MergeOrder {
  const std::vector<Slice>& slices;
  std::vector<std::string> outputs;  ///< files to write, as --output of the run without slices; they can be written
  bool json = false;
};

/// A solver's subcommand, and what `validate`, `bench`, `tune` and the self-test of devices ask of it.
struct Solver {
  std::string_view name;             ///< as the user types it: "subset-sum"
  std::string_view short_name = {};  ///< what may be typed instead; empty: nothing
  std::string_view summary;          ///< one line of help
  /// The subcommand. Returns the exit status, or throws clopt::Error.
  int (*command)(const Arguments& arguments);
  std::vector<ValidationCase> (*cases)(bool with_long_ones);
  std::vector<BenchmarkTable> (*bench)();
  /// Measures what the solver's own choices rest on: a JSON value, or none where the run was stopped.
  std::optional<std::string> (*tune)(Device& device, const RunControl& control);
  /// Known answers on a device: an empty text, or what is wrong.
  std::string (*self_test)(Device& device);
  /// Prints the result of a run that was divided by --shard, in the subcommand's form; null where the solver's runs
  /// cannot be divided. Returns the exit status, or throws InvalidInput.
  int (*merge)(const MergeOrder& order) = nullptr;
  bool shares_out = false;  ///< whether the ranks of a job of MPI share its work
};

/// Every solver, in the order of CMakeLists.txt's list.
const std::vector<Solver>& solvers();

}  // namespace clopt::apps
