/// \file
/// Several runs of one problem that differ in their seeds, all of them or some, and what they show together.
#pragma once

#include <clopt/export.hpp>

#include <clopt/run.hpp>
#include <clopt/shard.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace clopt {

/// One of several runs.
template <class Result>
struct SeedRun {
  std::uint64_t seed = 0;
  bool success = false;
  Result result;
};

/// How many runs.
template <class Trial>
struct SeveralRunsOptions {
  std::uint64_t runs = 2;  ///< in all; run i has the seed Options::seed + i
  /// Those that are made, of all; none: all.
  std::optional<WorkRange> range;
  std::function<void(const Trial&)> trial;  ///< called after each run, on the thread that called solve_runs()
};

/// The results of runs. `ending` is `complete` where all were made, else `time` or `interrupted`; `seconds.total` is of
/// all, all else that runs have in common is that of the best one.
template <class Trial>
struct SeveralRuns : RunResult {
  std::vector<Trial> trials;  ///< of each run that was begun, in the order of seeds
  /// The best one: of those that succeeded, or of all where none has, the first with the best value.
  std::size_t best = 0;
  bool maximised = true;  ///< whether larger values are better
};

/// A run in a line.
struct RunOutcome {
  std::uint64_t seed = 0;
  bool success = false;
  double value = 0;  ///< the best one; NaN where nothing feasible was found
  std::uint64_t generations = 0;
  std::uint64_t evaluations = 0;
  double seconds = 0;
  std::uint64_t checksum = 0;
};

/// What the values of runs show together. Quartiles and median lie between two values, in proportion, where they fall
/// between these (numpy's default); a value that is NaN counts as the worst one.
struct RunsSummary {
  std::uint64_t runs = 0;
  std::uint64_t successes = 0;
  double best = 0;
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  double worst = 0;
  /// The evaluations that a success is expected to take: those of all runs, over the runs that succeeded (the expected
  /// running time of Hansen et al., COCO, 2016); none where none has.
  std::optional<double> evaluations;
};

/// O(runs log runs). \throws InvalidInput where there is none.
CLOPT_API RunsSummary summary_of(std::span<const RunOutcome> runs, bool maximised);

}  // namespace clopt
