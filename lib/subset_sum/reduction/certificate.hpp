/// \file
/// The interval certificate: a proof, with its subset, that a sum is reachable, without a sweep over the capacities.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "items.hpp"

namespace clopt::subset_sum {

/// Looks for a subset with exactly this sum in bounded time: some milliseconds at most, O(n) where it succeeds.
///
/// The lightest items' reachable sums form a bit set, which grows item by item until it holds a run of consecutive sums
/// [l, r] at least as long as the next item w is heavy. With that item, [l, r + w] is reachable without a gap, and so
/// on through the heavier items. A target inside the run is walked back: heavy items first, the rest through the bit
/// sets of the light ones.
///
/// \param descending the items, heaviest first.
/// \param target the sum, at least 1; the smaller of capacity and remainder is the cheaper one.
/// \returns positions of the items, or nothing when this way does not decide.
std::optional<std::vector<std::uint32_t>> reach_by_interval(std::span<const Item> descending, std::uint64_t target);

}  // namespace clopt::subset_sum
