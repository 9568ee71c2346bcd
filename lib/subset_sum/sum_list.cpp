#include "sum_list.hpp"

#include <algorithm>

namespace clopt::subset_sum {
namespace {

/// Looks at the clock every so many steps of a merge: about a millisecond.
constexpr std::size_t steps_between_looks = std::size_t{1} << 18;

/// Merges a list with the same list moved up by one more item; false when the run must end.
bool add_item(SumList& list, std::uint64_t weight, Subset item, std::uint64_t high, const Watch& watch) {
  const std::size_t size = list.size;
  const std::size_t moved = static_cast<std::size_t>(
      std::upper_bound(list.sums.get(), list.sums.get() + size, high - weight) - list.sums.get());
  SumList merged(size + moved);
  std::size_t without = 0;
  std::size_t with = 0;
  while (with < moved) {
    for (std::size_t step = 0; step < steps_between_looks && with < moved; ++step) {
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

std::optional<std::vector<std::uint64_t>> distinct_sums(std::span<const std::uint64_t> weights, std::uint64_t high,
                                                        const Watch& watch) {
  std::vector<std::uint64_t> sums{0};
  std::vector<std::uint64_t> merged;
  for (const std::uint64_t weight : weights) {
    const auto size = sums.size();
    const auto moved =
        static_cast<std::size_t>(std::upper_bound(sums.begin(), sums.end(), high - weight) - sums.begin());
    merged.resize(size + moved);
    std::size_t without = 0;
    std::size_t with = 0;
    std::size_t count = 0;
    // No branch depends on the sums, which no processor could foresee. `without` stays ahead of `with`.
    while (without < size && with < moved) {
      const std::uint64_t low = sums[without];
      const std::uint64_t up = sums[with] + weight;
      merged[count++] = std::min(low, up);
      without += low <= up;
      with += up <= low;
    }
    for (; without < size; ++without) merged[count++] = sums[without];
    for (; with < moved; ++with) merged[count++] = sums[with] + weight;
    merged.resize(count);
    sums.swap(merged);
    if (watch.expired()) return std::nullopt;
  }
  return sums;
}

}  // namespace clopt::subset_sum
