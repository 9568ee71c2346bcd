/// \file
/// The algorithm of Yanasse and Soma, chapter 3.3: one vector, capacities outside, items inside.
#pragma once

#include <clopt/run.hpp>

#include <subset_sum/reduction/reduced_problem.hpp>

namespace clopt::subset_sum {

/// Fills the vector g, from the smallest capacity on, by combining each reached capacity with the items after the last
/// one that it has (algorithm 7), within the capacities that matter (chapter 4.2). Time O(n * high), space O(n + high).
/// Its g is the sweep's wherever a walk back comes, so it takes the same subset.
/// \throws InvalidInput where the vector would pass 4 GiB, with its size.
Found yanasse_soma(const ReducedProblem& reduced, const Watch& watch);

}  // namespace clopt::subset_sum
