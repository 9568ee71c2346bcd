/// \file
/// A run whose population is doubled where the usual one may be too small.
#pragma once

#include <clopt/ecga.hpp>

#include <functional>

namespace clopt::ecga {

/// Whether solve() chooses the population, and may double it. A checkpoint is of one run.
inline bool is_growing(const Options& options) {
  return options.population == 0 && !options.checkpoint && !options.resume;
}

/// One run of a population that is given.
using SolveOnce = std::function<Result(const Options&, const RunControl&)>;

/// A run of the usual population, or an eighth of it with local search, and then of twice the last one each, until the
/// target or the known optimum is found, or the best is proven, or two runs bring nothing better (after Harik and Lobo,
/// A parameter-less genetic algorithm, GECCO 1999). \returns the first of the best results, with Result::runs.
Result solve_growing(const Problem& problem, const Options& options, const RunControl& control, const SolveOnce& once);

}  // namespace clopt::ecga
