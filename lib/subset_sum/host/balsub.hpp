/// \file
/// Balanced dynamic programming (Pisinger, "Linear time algorithms for knapsack problems with bounded weights", Journal
/// of Algorithms 33, 1999; the code Balsub of 1995 in the paper's chapter 6).
#pragma once

#include <clopt/run.hpp>

#include <subset_sum/reduction/reduced_problem.hpp>

namespace clopt::subset_sum {

/// What balsub may take, in bytes.
struct BalsubMemory {
  std::uint64_t states = std::uint64_t{1} << 30;     ///< the table of balanced states
  std::uint64_t events = std::uint64_t{1} << 29;     ///< the log that the subset is read from
  std::uint64_t snapshots = std::uint64_t{1} << 30;  ///< earlier tables, for what the log could not keep
};

/// Starts from the break solution, the heaviest items that fit together, and only visits balanced states: sums at most
/// the heaviest weight away from the capacity, which grow by an item while they are at most the capacity and shrink
/// while they are above it. Time O(n w_max), whatever the capacity. The subset depends on the reduced problem alone,
/// but is not the one that recover() walks to. \throws InvalidInput when a table or the snapshots pass their memory,
/// with the sizes.
Found balsub(const ReducedProblem& reduced, const Watch& watch, const BalsubMemory& memory);
Found balsub(const ReducedProblem& reduced, const Watch& watch);

}  // namespace clopt::subset_sum
