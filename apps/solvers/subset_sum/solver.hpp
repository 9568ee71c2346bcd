/// \file
/// Subset sum as a part of the program.
#pragma once

#include <clopt/subset_sum.hpp>
#include <commands/solver.hpp>

namespace clopt::apps::subset_sum {

// In command.cpp.
int run(const Arguments& arguments);
// In report.cpp.
std::unique_ptr<RunReport> merge(const MergeOrder& order);
// In cases.cpp.
std::vector<ValidationCase> validation_cases(bool with_long_ones);
// In bench.cpp.
std::vector<BenchmarkTable> benchmark_tables();

inline Solver solver() {
  return {.name = "subset-sum",
          .summary = "the subset with the largest sum that is at most a capacity",
          .command = run,
          .cases = validation_cases,
          .bench = benchmark_tables,
          .tune = clopt::subset_sum::tune,
          .self_test = clopt::subset_sum::self_test,
          .merge = merge,
          .shares_out = true};
}

}  // namespace clopt::apps::subset_sum
