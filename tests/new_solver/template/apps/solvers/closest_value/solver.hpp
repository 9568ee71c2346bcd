/// \file
/// The closest value as a part of the program.
#pragma once

#include <clopt/closest_value.hpp>
#include <commands/solver.hpp>

namespace clopt::apps::closest_value {

// In command.cpp.
int run(const Arguments& arguments);
std::unique_ptr<RunReport> merge(const MergeOrder& order);
// In cases.cpp.
std::vector<ValidationCase> validation_cases(bool with_long_ones);
// In bench.cpp.
std::vector<BenchmarkTable> benchmark_tables();

inline Solver solver() {
  return {.name = "closest-value",
          .summary = "the value of a list that is closest to a wanted one",
          .command = run,
          .cases = validation_cases,
          .bench = benchmark_tables,
          .tune = clopt::closest_value::tune,
          .self_test = clopt::closest_value::self_test,
          .merge = merge,
          .shares_out = true};
}

}  // namespace clopt::apps::closest_value
