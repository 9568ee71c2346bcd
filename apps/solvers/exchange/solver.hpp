/// \file
/// The complete exchange as a part of the program.
#pragma once

#include <clopt/exchange.hpp>
#include <commands/solver.hpp>

namespace clopt::apps::exchange {

// In command.cpp.
int run(const Arguments& arguments);
// In report.cpp.
std::unique_ptr<RunReport> merge(const MergeOrder& order);
// In cases.cpp.
std::vector<ValidationCase> validation_cases(bool with_long_ones);
// In bench.cpp.
std::vector<BenchmarkTable> benchmark_tables();

inline Solver solver() {
  return {.name = "exchange",
          .summary = "schedules without conflicts of messages on a wormhole network",
          .command = run,
          .cases = validation_cases,
          .bench = benchmark_tables,
          .tune = clopt::exchange::tune,
          .self_test = clopt::exchange::self_test,
          .merge = merge,
          .shares_out = true};
}

}  // namespace clopt::apps::exchange
