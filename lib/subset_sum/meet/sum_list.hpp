/// \file
/// All subset sums of a few items in a list.
#pragma once

#include <clopt/run.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace clopt::subset_sum {

/// A subset of a few items; bit i is item i.
using Subset = std::uint32_t;
inline constexpr std::size_t most_items_a_list = 32;

/// Distinct subset sums, ascending, each with the least of its subsets as a number. As later items are higher bits,
/// that is the subset whose last item is the earliest, and so on: the one that recover() walks to.
struct SumList {
  std::size_t size = 0;
  std::unique_ptr<std::uint64_t[]> sums;
  std::unique_ptr<Subset[]> subsets;

  explicit SumList(std::size_t capacity)
      : sums(std::make_unique_for_overwrite<std::uint64_t[]>(capacity)),
        subsets(std::make_unique_for_overwrite<Subset[]>(capacity)) {}
  void append(std::uint64_t sum, Subset subset) {
    sums[size] = sum;
    subsets[size++] = subset;
  }
};

/// All sums up to a limit; nothing when the run must end. O(number of sums).
std::optional<SumList> list_sums(std::span<const std::uint64_t> weights, std::uint64_t high, const Watch& watch);

/// The sums alone, ascending.
struct DistinctSums {
  std::size_t size = 0;
  std::unique_ptr<std::uint64_t[]> values;
};

/// The same without subsets, a few times as fast.
std::optional<DistinctSums> distinct_sums(std::span<const std::uint64_t> weights, std::uint64_t high,
                                          const Watch& watch);

}  // namespace clopt::subset_sum
