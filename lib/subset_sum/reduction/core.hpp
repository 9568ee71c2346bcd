/// \file
/// A core: the few items that are searched while the heavier ones of the others are in and the lighter ones out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "items.hpp"

namespace clopt::subset_sum {

/// The first item that does not fit when the heaviest are taken one by one.
struct Break {
  std::size_t item = 0;      ///< its position: the number of heavier ones, which fit together
  std::uint64_t left = 0;    ///< of the target, without those
  std::uint64_t target = 0;  ///< what was to be filled
};
/// \param descending the items, heaviest first.
Break break_of(std::span<const Item> descending, std::uint64_t target);

/// Items to search. Of the others, those before `taken` are in.
struct Core {
  std::vector<std::uint32_t> positions;  ///< ascending
  std::size_t taken = 0;
  std::uint64_t rest = 0;  ///< what the core's items must sum up to
  double spread = 0;       ///< the standard deviation of its subsets' sums
  double solutions = 0;    ///< how many of its subsets have that sum, to be expected of random weights
};

/// The core of \p size items that promises the most solutions: items on both sides of the break item, next to it or at
/// equal distances, so that their weights are not all alike; or lighter ones where few of the heaviest fit.
/// \param descending items that do not fit together; at least \p size of them, which is at least 1.
Core best_core(std::span<const Item> descending, const Break& broken, std::size_t size);

}  // namespace clopt::subset_sum
