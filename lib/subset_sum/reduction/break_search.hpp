/// \file
/// A search around the break item for a subset with exactly a given sum: most random instances have many.
#pragma once

#include <clopt/run.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "items.hpp"

namespace clopt::subset_sum {

/// How many steps, of some nanoseconds each, a search may take.
struct BreakSearchEffort {
  std::uint64_t steps = 0;
  /// The effort that takes about that many seconds.
  static BreakSearchEffort of_seconds(double seconds);
};

/// Looks for a subset with exactly this sum, in bounded time and in the same way on every machine.
///
/// Where weights are large, a core of some tens of items around the break item has far more subsets than sums, so that
/// many hit the target. The core's items are dealt out to four lists of subset sums. For one residue r modulo a prime
/// about as large as the lists, the pairs of the first two lists with sum r, and of the last two with the rest of the
/// target, are as few as the lists are long; a pair of pairs that hits the target is found by hashing. One r after the
/// other is tried: that is Schroeppel and Shamir's search (SIAM Journal on Computing 10(3), 1981) in the modular form
/// of Howgrave-Graham and Joux (Eurocrypt 2010), left at the first hit as in Wagner's generalised birthday search
/// (Crypto 2002). The size is the one whose expected cost is the least.
///
/// \param descending the items, heaviest first, which sum up to more than the target.
/// \returns positions of the items, or nothing: where no hit is to be expected within the effort, where none came, or
///          where the watch ended the run.
std::optional<std::vector<std::uint32_t>> reach_around_break(std::span<const Item> descending, std::uint64_t target,
                                                             const BreakSearchEffort& effort, const Watch& watch);

}  // namespace clopt::subset_sum
