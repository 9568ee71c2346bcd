/// \file
/// Bellman's table by rows, the classical algorithm of chapter 3.1.
#pragma once

#include <clopt/run.hpp>

#include <subset_sum/reduction/reduced_problem.hpp>

namespace clopt::subset_sum {

/// Fills the table B[i][k], the largest sum of at most k that the first i items reach (algorithm 5), and walks back
/// through it. Time and space O(n * high): for small instances, and to test others against.
/// \throws InvalidInput when the table would pass 1 GiB, with its size.
Found bellman(const ReducedProblem& reduced, const Watch& watch);

}  // namespace clopt::subset_sum
