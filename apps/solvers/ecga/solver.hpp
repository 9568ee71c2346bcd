/// \file
/// The extended compact genetic algorithm as a part of the program.
#pragma once

#include <clopt/ecga.hpp>
#include <commands/solver.hpp>

namespace clopt::apps::ecga {

// In command.cpp.
int run(const Arguments& arguments);
// In report.cpp.
std::unique_ptr<RunReport> merge(const MergeOrder& order);
// In cases.cpp.
std::vector<ValidationCase> validation_cases(bool with_long_ones);
// In bench.cpp.
std::vector<BenchmarkTable> benchmark_tables();

inline Solver solver() {
  return {.name = "ecga",
          .summary = "extended compact genetic algorithm: learns which bits depend on each other",
          .command = run,
          .cases = validation_cases,
          .bench = benchmark_tables,
          .tune = clopt::ecga::tune,
          .self_test = clopt::ecga::self_test,
          .merge = merge,
          .shares_out = true};
}

}  // namespace clopt::apps::ecga
