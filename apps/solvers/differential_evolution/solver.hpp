/// \file
/// Differential evolution as a part of the program.
#pragma once

#include <clopt/differential_evolution.hpp>
#include <commands/solver.hpp>

namespace clopt::apps::differential_evolution {

// In command.cpp.
int run(const Arguments& arguments);
// In report.cpp.
std::unique_ptr<RunReport> merge(const MergeOrder& order);
// In cases.cpp.
std::vector<ValidationCase> validation_cases(bool with_long_ones);
// In bench.cpp.
std::vector<BenchmarkTable> benchmark_tables();

inline Solver solver() {
  return {.name = "differential-evolution",
          .short_name = "de",
          .summary = "minima of an objective over real parameters, thousands of problems at once",
          .command = run,
          .cases = validation_cases,
          .bench = benchmark_tables,
          .tune = clopt::differential_evolution::tune,
          .self_test = clopt::differential_evolution::self_test,
          .merge = merge,
          .shares_out = true};
}

}  // namespace clopt::apps::differential_evolution
