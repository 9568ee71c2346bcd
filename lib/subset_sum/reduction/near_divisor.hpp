/// \file
/// A divisor of all weights but a few: the few decide the residue, the others fill it up.
#pragma once

#include <cstdint>
#include <optional>

#include "preprocessing.hpp"

namespace clopt::subset_sum {

/// The largest reachable sum up to the capacity, with its subset and proven, or nothing when this way does not decide.
///
/// Let d divide all weights but a few. Every subset sum is a sum s of some of the few plus a multiple of d, so no
/// subset comes closer to the capacity c than the least (c - s) mod d. Where the interval certificate shows that the
/// others fill c - s up to that remainder, the optimum is found. Bounded time: O(n) and some milliseconds at most.
struct NearDivisorAnswer {
  Selection selection;
  std::uint64_t divisor = 1;
};
std::optional<NearDivisorAnswer> solve_by_near_divisor(const SortedProblem& problem);

/// A divisor of all weights but a few by which no subset comes closer to the capacity than \p value, a reachable sum;
/// 1 where that is the capacity. None where there is no such divisor. O(n).
std::optional<std::uint64_t> divisor_that_proves(const SortedProblem& problem, std::uint64_t value);

}  // namespace clopt::subset_sum
