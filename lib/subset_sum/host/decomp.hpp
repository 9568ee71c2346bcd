/// \file
/// Pisinger's decomposition into two lists, grown from the break item in both directions (Kellerer, Pferschy and
/// Pisinger, "Knapsack Problems", 2004, chapter 4; the code Decomp in the paper's chapter 6).
#pragma once

#include <clopt/run.hpp>

#include <subset_sum/reduction/reduced_problem.hpp>

namespace clopt::subset_sum {

/// What decomp may take, in bytes.
struct DecompMemory {
  std::uint64_t each_list = std::uint64_t{1} << 30;
  /// A list becomes a bit vector once this many times its size passes the sums it may hold: a sum in a list is merged
  /// at the cost of some hundred bits.
  std::uint64_t sparse = 256;
};

/// Lists the sums of items outside the break solution, which may be added, and of items inside it, which may be
/// removed. The lists take in items by turns, those next to the break item first, and are matched whenever they have
/// doubled, so that the capacity, where few changes to the break solution reach it, is found early. A list that gets
/// dense continues as a bit vector. The subset depends on the reduced problem alone, but is not the one that recover()
/// walks to. \throws InvalidInput when a list passes its memory, with the sizes.
Found decomp(const ReducedProblem& reduced, const Watch& watch, const DecompMemory& memory);
Found decomp(const ReducedProblem& reduced, const Watch& watch);

}  // namespace clopt::subset_sum
