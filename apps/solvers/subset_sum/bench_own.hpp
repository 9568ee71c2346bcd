/// \file
/// How the benchmarks of subset-sum measure a run, and their tables that no paper has.
#pragma once

#include <clopt/subset_sum.hpp>

#include <optional>
#include <string>
#include <vector>

#include <commands/solver.hpp>

namespace clopt::apps::subset_sum {

/// How one way to solve an instance went.
struct Measurement {
  std::optional<clopt::subset_sum::Result> result;  ///< none where the method refuses the instance
  std::string note;                                 ///< what is to be said of it
  bool ended = false;                               ///< whether it ended by itself
};

/// One run.
Measurement measure_once(const clopt::subset_sum::Instance& instance, const clopt::subset_sum::Options& options,
                         Device& device, const RunControl& control);
/// The quickest of a few runs, where they are short.
Measurement measure(const clopt::subset_sum::Instance& instance, const clopt::subset_sum::Options& options,
                    Device& device, const RunControl& control);
/// Sets `compute`, `total` and `rate`.
void set_times(BenchmarkRow& row, const Measurement& measurement);

/// Every method on the paper's classes, the classes that stay hard, and `auto` against the best of all.
std::vector<BenchmarkTable> own_tables();

}  // namespace clopt::apps::subset_sum
