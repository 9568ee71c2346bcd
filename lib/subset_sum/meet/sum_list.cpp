#include "sum_list.hpp"

#include <algorithm>

namespace clopt::subset_sum {
namespace {

/// Steps of a merge between two readings of the clock: about a millisecond.
constexpr std::size_t merges_between_looks = std::size_t{1} << 18;

/// Merges a list with the same list moved up by one more item; false when the run must end.
bool add_item(SumList& list, std::uint64_t weight, Subset item, std::uint64_t high, const Watch& watch) {
  const std::size_t size = list.size;
  const std::size_t moved = static_cast<std::size_t>(
      std::upper_bound(list.sums.get(), list.sums.get() + size, high - weight) - list.sums.get());
  SumList merged(size + moved);
  std::size_t without = 0;
  std::size_t with = 0;
  while (with < moved) {
    for (std::size_t step = 0; step < merges_between_looks && with < moved; ++step) {
      // `without` stays ahead of `with` and so below `size`, until it has passed the list's end.
      const std::uint64_t sum_with = list.sums[with] + weight;
      if (without < size && list.sums[without] <= sum_with) {
        with += list.sums[without] == sum_with;
        merged.append(list.sums[without], list.subsets[without]);
        ++without;
      } else {
        merged.append(sum_with, list.subsets[with] | item);
        ++with;
      }
    }
    if (watch.expired()) return false;
  }
  for (; without < size; ++without) merged.append(list.sums[without], list.subsets[without]);
  list = std::move(merged);
  return true;
}

}  // namespace

std::optional<SumList> list_sums(std::span<const std::uint64_t> weights, std::uint64_t high, const Watch& watch) {
  SumList list(1);
  list.append(0, 0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!add_item(list, weights[i], Subset{1} << i, high, watch)) return std::nullopt;
  }
  return list;
}

std::optional<DistinctSums> distinct_sums(std::span<const std::uint64_t> weights, std::uint64_t high,
                                          const Watch& watch) {
  DistinctSums sums{1, std::make_unique<std::uint64_t[]>(1)};
  for (const std::uint64_t weight : weights) {
    const std::uint64_t* const old = sums.values.get();
    const auto moved = static_cast<std::size_t>(std::upper_bound(old, old + sums.size, high - weight) - old);
    auto merged = std::make_unique_for_overwrite<std::uint64_t[]>(sums.size + moved);
    std::uint64_t* next = merged.get();
    std::size_t without = 0;
    std::size_t with = 0;
    // No branch depends on the sums, which would be mispredicted.
    while (without < sums.size && with < moved) {
      const std::uint64_t low = old[without];
      const std::uint64_t up = old[with] + weight;
      *next++ = std::min(low, up);
      without += low <= up;
      with += up <= low;
    }
    next = std::copy(old + without, old + sums.size, next);
    for (; with < moved; ++with) *next++ = old[with] + weight;
    sums = {static_cast<std::size_t>(next - merged.get()), std::move(merged)};
    if (watch.expired()) return std::nullopt;
  }
  return sums;
}

}  // namespace clopt::subset_sum
