/// \file
/// What a run makes of problem and options, and runs on devices of this process.
#pragma once

#include <clopt/fit.hpp>
#include <support/threads/kept_team.hpp>

#include <cstddef>
#include <memory>
#include <span>

namespace clopt::fit {

class HostCode;

/// Calls `work(name, member, width)` for each array of a problem, with how many of its numbers are of a row.
template <class Work>
void for_numbers(const Problem& problem, const Work& work) {
  work("data", &Problem::data, problem.columns);
  work("abscissa", &Problem::abscissa, problem.columns);
  work("sigma", &Problem::sigma, problem.columns);
  work("guess", &Problem::guess, problem.parameters);
  work("lower", &Problem::lower, problem.parameters);
  work("upper", &Problem::upper, problem.parameters);
}

/// Threads for what all rows need: the host's, or as many as a device has that is the host.
KeptTeam team_for(const Problem& problem, std::span<const std::shared_ptr<Device>> devices);

/// What all rows of a run have in common.
struct Plan {
  const Problem& problem;
  const Options& options;
  std::shared_ptr<const Objective> residuals;  ///< of the whole problem, see residuals_of()
  const SharedNumbers& guess;                  ///< the problem's, or those that a search finds
  bool is_double;
  bool quick_build;                  ///< of devices that are the host: see Program; choose_build() knows
  ThreadTeam& threads;               ///< of the host: for all numbers, and for rows of a device that is the only one
  std::shared_ptr<HostCode> code{};  ///< which the run may have optimised, where it begins without; or null

  bool has_errors() const { return options.errors || options.covariance; }
};

/// Fits a range of rows on devices of this process.
Result fit_here(const Plan& plan, const WorkRange& range, std::span<const std::shared_ptr<Device>> devices,
                const Watch& watch);

/// Room for what a run finds of each row, which has no value yet.
Result result_of(const Plan& plan, const WorkRange& range);
/// Has some rows, counted from the first one of the range, stay at their guesses.
void leave_at_guess(const Plan& plan, const WorkRange& range, Result& result, std::size_t first, std::size_t count);
/// What a run has before any row is fitted.
Result begun_result(const Plan& plan, const WorkRange& range);

}  // namespace clopt::fit
