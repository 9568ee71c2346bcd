/// \file
/// The items of an instance as the solvers see them: heaviest first, each with its place in the input.
#pragma once

#include <clopt/subset_sum.hpp>
#include <cstdint>
#include <vector>

#include <support/numbers/uint128.hpp>

namespace clopt::subset_sum {

/// One item of the input.
struct Item {
  std::uint64_t weight;
  std::uint32_t index;  ///< its place in the input, from 0
};

/// The items that can be in a solution at all, those of at most the capacity, in the input's order.
std::vector<Item> items_within_capacity(const Instance& instance);

/// The sum of all weights; it may pass 2^64.
Uint128 total_weight(const std::vector<Item>& items);

/// Sorts in descending order of weight (chapter 4.3); equal weights keep their order, so the answer is unique. O(n).
void sort_descending(std::vector<Item>& items);

}  // namespace clopt::subset_sum
