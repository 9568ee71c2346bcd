/// \file
/// Several runs of a solver, as Python gets them.
#pragma once

#include <clopt/runs.hpp>

#include <cstdint>
#include <utility>
#include <vector>

#include "bindings.hpp"

namespace clopt::python {

/// The runs, which end as the best one where none was ended early. \param solve_runs, \param solve_one of the solver.
template <class Runs, class SolveRuns, class SolveOne>
Runs runs_of(std::uint64_t count, std::uint64_t seed, const SolveRuns& solve_runs, const SolveOne& solve_one) {
  if (count != 1) {
    Runs runs = solve_runs(count);
    if (runs.ending == Ending::complete) runs.ending = runs.trials[runs.best].result.ending;
    return runs;
  }
  Runs runs;
  auto result = solve_one();
  static_cast<RunResult&>(runs) = result;
  runs.trials.push_back({seed, false, std::move(result)});
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
