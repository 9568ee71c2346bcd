/// \file
/// What the program can do: the subcommands, and what a solver brings.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmark.hpp"
#include "validation.hpp"

namespace clopt::apps {

/// The words after the subcommand's name.
using Arguments = std::vector<std::string>;

/// The program's exit statuses.
enum Status : int {
  done = 0,
  wrong_use = 2,      ///< wrong use or bad input
  device_failed = 3,  ///< no such device, or the device failed
  not_reached = 4,    ///< ended without what was asked for
  interrupted = 130   ///< by a signal
};

/// A subcommand. Its function returns the exit status, or throws clopt::Error.
struct Subcommand {
  std::string name;
  std::string_view summary;
  int (*run)(const Arguments& arguments);
};

/// Every subcommand: the solvers' first, in the order of the list of solvers.
const std::vector<Subcommand>& subcommands();

/// A solver as `validate`, `bench` and `tune` see it.
struct Solver {
  std::string name;
  std::vector<ValidationCase> (*validation_cases)(bool with_long_ones);
  std::vector<BenchmarkTable> (*benchmark_tables)();
  /// Measures what the solver's own choices rest on: a JSON value, or none where the run was stopped.
  std::optional<std::string> (*tune)(Device& device, const RunControl& control);
};

/// Every solver, in the order of the list of solvers.
const std::vector<Solver>& solvers();

}  // namespace clopt::apps

// What apps/<solver>.cpp, apps/<solver>_cases.cpp and apps/<solver>_bench.cpp define, and tune() of the library.
#define CLOPT_SOLVER(name)                                           \
  namespace clopt::name {                                            \
  std::optional<std::string> tune(Device&, const RunControl&);       \
  }                                                                  \
  namespace clopt::apps::name {                                      \
  std::string_view summary();                                        \
  int run(const Arguments& arguments);                               \
  std::vector<ValidationCase> validation_cases(bool with_long_ones); \
  std::vector<BenchmarkTable> benchmark_tables();                    \
  }
#include <generated/solvers.inc>
#undef CLOPT_SOLVER
