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

/// The first item that does not fit when the heaviest are taken one by one.
struct Break {
  std::size_t item = 0;      ///< its position: so many heavier ones fit together
  std::uint64_t left = 0;    ///< of the target, without those
  std::uint64_t target = 0;  ///< what was to be filled
};
/// \param descending the items, heaviest first.
Break break_of(std::span<const Item> descending, std::uint64_t target);

/// Some of the items, of which the others are in or out.
struct Core {
  std::size_t first = 0;   ///< of its items
  std::size_t size = 0;    ///< how many it has
  std::size_t taken = 0;   ///< items [0, taken) are in
  std::uint64_t rest = 0;  ///< what the core must sum up to
  double spread = 0;       ///< the standard deviation of its subsets' sums
  double solutions = 0;    ///< how many of its subsets do, if sums were as likely as a normal distribution has them
};

/// The core of so many items around the break item; lighter items where fewer than half as many fit.
/// \param descending more than fit together \param size at most as many
Core core_around_break(std::span<const Item> descending, const Break& found, std::size_t size);

/// How many steps, of some nanoseconds each, a search may take.
struct BreakSearchEffort {
  std::uint64_t steps = 0;
  /// The effort that takes about so many seconds.
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
