/// \file
/// Guesses where none are given.
#pragma once

#include <clopt/differential_evolution.hpp>
#include <clopt/fit.hpp>
#include <support/threads/thread_team.hpp>

#include <memory>
#include <span>
#include <vector>

namespace clopt::fit {

/// A search within the bounds for the best vector of each row, by differential evolution.
class Search {
 public:
  /// O(size of the data / threads).
  Search(const Problem& problem, const Options& options, bool is_double, ThreadTeam& threads);

  /// Finds guesses of a range's rows.
  RunResult run(const WorkRange& range, std::span<const std::shared_ptr<Device>> devices, const RunControl& control);
  /// Of all rows: the best so far, at first the middle of the bounds. Later runs change them.
  SharedNumbers guess() const { return SharedNumbers::over(std::span<const double>(guess_)); }

 private:
  differential_evolution::Problem problem_;
  differential_evolution::Options options_;
  std::vector<double> guess_;
};

}  // namespace clopt::fit
