/// \file
/// The genetic algorithm as a part of the program.
#pragma once

#include <clopt/genetic.hpp>
#include <commands/solver.hpp>

namespace clopt::apps::genetic {

// In command.cpp.
int run(const Arguments& arguments);
// In report.cpp.
std::unique_ptr<RunReport> merge(const MergeOrder& order);
// In cases.cpp.
std::vector<ValidationCase> validation_cases(bool with_long_ones);
// In bench.cpp.
std::vector<BenchmarkTable> benchmark_tables();

inline Solver solver() {
  return {.name = "genetic",
          .short_name = "ga",
          .summary = "a genetic algorithm at several granularities",
          .command = run,
          .cases = validation_cases,
          .bench = benchmark_tables,
          .tune = clopt::genetic::tune,
          .self_test = clopt::genetic::self_test,
          .merge = merge,
          .shares_out = true};
}

}  // namespace clopt::apps::genetic
