/// \file
/// What a run makes of problem and options, and runs on devices of this process.
#pragma once

#include <clopt/fit.hpp>

#include <memory>
#include <span>
#include <vector>

namespace clopt::fit {

/// What all rows of a run have in common.
struct Plan {
  const Problem& problem;
  const Options& options;
  const Objective& residuals;        ///< of the whole problem, see residuals_of()
  const std::vector<double>& guess;  ///< the problem's, or those that a search has found
  bool is_double;
  bool few_rows;  ///< see Program::few_items
};

/// Fits a range of rows on devices of this process.
Result fit_here(const Plan& plan, const WorkRange& range, std::span<const std::shared_ptr<Device>> devices,
                const Watch& watch);

/// What a run has before any row is fitted: all stay at their guesses.
Result begun_result(const Plan& plan, const WorkRange& range);

}  // namespace clopt::fit
