/// \file
/// What a run makes of problem and options, and runs on devices of this process.
#pragma once

#include <clopt/fit.hpp>
#include <support/threads/thread_team.hpp>

#include <cstddef>
#include <memory>
#include <span>

namespace clopt::fit {

/// What all rows of a run have in common.
struct Plan {
  const Problem& problem;
  const Options& options;
  const Objective& residuals;  ///< of the whole problem, see residuals_of()
  const SharedNumbers& guess;  ///< the problem's, or those that a search has found
  bool is_double;
  bool few_rows;        ///< see Program::few_items
  ThreadTeam& threads;  ///< of the host: for all numbers, and for rows of a device that is the only one
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
