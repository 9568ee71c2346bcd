/// \file
/// Guesses where none are given.
#pragma once

#include <clopt/fit.hpp>

#include <memory>
#include <span>
#include <vector>

namespace clopt::fit {

/// What a search for guesses has led to.
struct Search {
  std::vector<double> guess;  ///< of all rows of the problem; those of other ranges are 0
  RunResult run;
};

/// Searches within the bounds for the best vector of each row of a range, by differential evolution.
Search search_guesses(const Problem& problem, const Options& options, bool is_double, const WorkRange& range,
                      std::span<const std::shared_ptr<Device>> devices, const RunControl& control);

}  // namespace clopt::fit
