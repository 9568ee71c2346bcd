/// \file
/// Equal weights in one go: bounded multiplicities by binary splitting.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "items.hpp"

namespace clopt::subset_sum {

/// Some items of one weight, which are taken together or not at all.
struct Bundle {
  std::uint64_t weight;  ///< of all of them together
  std::uint32_t first;   ///< where the items of this weight begin, as a position
  std::uint32_t count;   ///< how many of them the bundle stands for
};

/// Each item by itself.
std::vector<Bundle> single_items(std::span<const Item> descending, std::uint32_t first);

/// Bundles of 1, 2, 4, ... and a rest of the items of each weight, so that every number of them up to \p most together
/// is a sum of bundles: m equal weights become log2 m. Heaviest first; equal ones in the order of their items. O(n).
/// \param first the position of the first item.
/// \param most sums above this are not needed, so of each weight no more items are kept; at least the heaviest weight.
std::vector<Bundle> bundle_equal_weights(std::span<const Item> descending, std::uint32_t first, std::uint64_t most);

/// Positions of the items of some bundles, given by their numbers: of equal weights the first ones, whichever bundles
/// they come from. Ascending.
std::vector<std::uint32_t> items_of(const std::vector<Bundle>& bundles, std::span<const std::uint32_t> chosen);

}  // namespace clopt::subset_sum
