/// \file
/// Several runs of a solver, as Python gets them.
#pragma once

#include <clopt/devices.hpp>
#include <clopt/runs.hpp>

#include <cstdint>
#include <utility>
#include <vector>

#include "bindings.hpp"

namespace clopt::python {

/// A problem, and how many runs of it are made, with seeds one after the other.
template <class Solver>
struct WithRuns : Solver {
  std::uint64_t runs = 1;
};

/// The runs, by the solver's own functions; several end as the best one where none was ended early.
template <class Solver, class Options>
auto solve(const WithRuns<Solver>& problem, const Options& options, const Devices& devices, const RunControl& control) {
  const auto solve_several = [&] { return solve_runs(problem, options, {problem.runs, {}, {}}, devices, control); };
  decltype(solve_several()) runs;
  if (problem.runs != 1) {
    runs = solve_several();
    if (runs.ending == Ending::complete) runs.ending = runs.trials[runs.best].result.ending;
    return runs;
  }
  auto result = solve(static_cast<const Solver&>(problem), options, devices, control);
  static_cast<RunResult&>(runs) = result;
  runs.trials.push_back({options.seed, false, std::move(result)});
  return runs;
}

/// Adds a line of each run, and their summary.
inline void add_runs(nb::dict& fields, const std::vector<RunOutcome>& runs, bool maximised) {
  nb::list trials;
  for (const auto& run : runs)
    trials.append(nb::make_tuple(run.seed, run.success, run.value, run.generations, run.evaluations));
  fields["trials"] = trials;
  const auto summary = summary_of(runs, maximised);
  fields["summary"] = nb::make_tuple(summary.runs, summary.successes, summary.best, summary.median,
                                     nb::make_tuple(summary.lower_quartile, summary.upper_quartile), summary.worst,
                                     summary.evaluations);
}

}  // namespace clopt::python
