/// \file
/// Fits as a part of the program.
#pragma once

#include <clopt/fit.hpp>
#include <commands/solver.hpp>

namespace clopt::apps::fit {

// In command.cpp.
int run(const Arguments& arguments);
// In report.cpp.
std::unique_ptr<RunReport> merge(const MergeOrder& order);
// In cases.cpp.
std::vector<ValidationCase> validation_cases(bool with_long_ones);
// In bench.cpp.
std::vector<BenchmarkTable> benchmark_tables();

inline Solver solver() {
  return {.name = "fit",
          .summary = "curves of one model, fitted to millions of rows of data, each from a guess",
          .command = run,
          .cases = validation_cases,
          .bench = benchmark_tables,
          .tune = clopt::fit::tune,
          .self_test = clopt::fit::self_test,
          .merge = merge,
          .shares_out = true};
}

}  // namespace clopt::apps::fit
