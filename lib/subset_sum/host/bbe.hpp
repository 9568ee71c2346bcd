/// \file
/// Bellman's recursion with a bit matrix of decisions, after Boyer, Baz and Elkihel (chapter 3.2).
#pragma once

#include <clopt/run.hpp>

#include <subset_sum/reduction/reduced_problem.hpp>

namespace clopt::subset_sum {

/// The memory that bbe may take, in bytes.
inline constexpr std::uint64_t bbe_memory = std::uint64_t{2} << 30;

/// Decides whether the capacity itself is reached (for the complement's reduced problem: what is over by it), and with
/// which items: algorithm 6 with compacted rows and Toth's bound, O(n * capacity) time. As chapter 3.2 stresses, that
/// bound drops sums that only lead to less than the capacity; where the capacity is not reached, the method cannot find
/// the optimum and says so in Found::undecided. \throws InvalidInput when the vector or the rows pass bbe_memory, with
/// the sizes.
Found bbe(const ReducedProblem& reduced, const Watch& watch);

}  // namespace clopt::subset_sum
