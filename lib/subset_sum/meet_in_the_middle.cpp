#include "meet_in_the_middle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <clopt/error.hpp>
#include <limits>
#include <memory>

namespace clopt::subset_sum {
namespace {

/// A subset of one half of the items; bit i is its item i, counted from the half's heaviest.
using Subset = std::uint32_t;
constexpr std::size_t most_items_a_half = 32;
constexpr std::size_t bytes_a_sum = sizeof(std::uint64_t) + sizeof(Subset);
/// Looks at the clock every so many steps of a merge or a search: about a millisecond.
constexpr std::size_t steps_between_looks = std::size_t{1} << 18;

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

/// The number of distinct sums of some items that are at most a limit, or more.
Wide bound_of_sums(std::span<const std::uint64_t> weights, std::uint64_t high) {
  Wide total = 0;
  for (const std::uint64_t weight : weights) total += weight;
  const Wide different = std::min<Wide>(total, high) + 1;
  return weights.size() < 64 ? std::min(different, Wide{1} << weights.size()) : different;
}

std::span<const std::uint64_t> heavier_half(const Plan& plan) { return std::span(plan.weights).first(plan.size() / 2); }
std::span<const std::uint64_t> lighter_half(const Plan& plan) {
  return std::span(plan.weights).subspan(plan.size() / 2);
}

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

/// All sums up to a limit; nothing when the run must end.
std::optional<SumList> list_sums(std::span<const std::uint64_t> weights, std::uint64_t high, const Watch& watch) {
  SumList list(1);
  list.append(0, 0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!add_item(list, weights[i], Subset{1} << i, high, watch)) return std::nullopt;
  }
  return list;
}

/// The largest sum of one of each that is at most a limit; nothing when the run must end.
std::optional<std::uint64_t> largest_up_to(const SumList& a, const SumList& b, std::uint64_t high, const Watch& watch) {
  std::uint64_t best = 0;
  std::size_t j = b.size;
  for (std::size_t i = 0; i < a.size && a.sums[i] <= high; ++i) {
    while (b.sums[j - 1] > high - a.sums[i]) --j;  // b.sums[0] is 0
    best = std::max(best, a.sums[i] + b.sums[j - 1]);
    if (best == high) break;
    if (i % steps_between_looks == 0 && watch.expired()) return std::nullopt;
  }
  return best;
}

/// The smallest sum of one of each that is at least a limit; nothing when the run must end.
std::optional<std::uint64_t> smallest_from(const SumList& a, const SumList& b, std::uint64_t low, const Watch& watch) {
  std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
  std::size_t j = b.size;
  for (std::size_t i = 0; i < a.size; ++i) {
    while (j > 0 && b.sums[j - 1] + a.sums[i] >= low) best = std::min(best, b.sums[--j] + a.sums[i]);
    if (best == low) break;
    if (i % steps_between_looks == 0 && watch.expired()) return std::nullopt;
  }
  return best;
}

/// Of all pairs with this sum, the one with the least subset of b; b's items are later ones than a's.
std::pair<Subset, Subset> least_subsets(const SumList& a, const SumList& b, std::uint64_t sum) {
  std::pair<Subset, Subset> least{0, std::numeric_limits<Subset>::max()};
  std::size_t j = b.size;
  for (std::size_t i = 0; i < a.size && a.sums[i] <= sum; ++i) {
    while (j > 0 && b.sums[j - 1] > sum - a.sums[i]) --j;
    if (j > 0 && b.sums[j - 1] == sum - a.sums[i] && b.subsets[j - 1] <= least.second) {
      least = {a.subsets[i], b.subsets[j - 1]};
    }
  }
  return least;
}

void append_positions(std::vector<std::uint32_t>& positions, Subset subset, std::size_t first) {
  for (std::size_t i = 0; i < most_items_a_half; ++i) {
    if ((subset >> i & 1) != 0) positions.push_back(static_cast<std::uint32_t>(first + i));
  }
}

}  // namespace

MeetInTheMiddleNeed meet_in_the_middle_need(const Plan& plan) {
  const Wide heavier = bound_of_sums(heavier_half(plan), plan.high);
  const Wide lighter = bound_of_sums(lighter_half(plan), plan.high);
  // The second list is merged from one of about half its size while the first is held.
  return {heavier + lighter, (heavier + lighter + std::max(heavier, lighter) / 2) * bytes_a_sum};
}

Found meet_in_the_middle(const Plan& plan, const Watch& watch) {
  const MeetInTheMiddleNeed need = meet_in_the_middle_need(plan);
  if (plan.size() > 2 * most_items_a_half || need.bytes > meet_in_the_middle_memory) {
    throw InvalidInput(
        fmt::format("method meet-in-the-middle: {} items need up to {} sums in {} bytes, at most {} items and {} bytes "
                    "are allowed; use --method auto",
                    plan.size(), need.sums, need.bytes, 2 * most_items_a_half, meet_in_the_middle_memory));
  }
  Found found;
  watch.report("lists", 0);
  const auto heavier = list_sums(heavier_half(plan), plan.high, watch);
  if (!heavier) return found;
  watch.report("lists", 0.5);
  const auto lighter = list_sums(lighter_half(plan), plan.high, watch);
  if (!lighter) return found;
  watch.report("search", 0);
  const auto best = plan.complement ? smallest_from(*heavier, *lighter, plan.low, watch)
                                    : largest_up_to(*heavier, *lighter, plan.high, watch);
  if (!best) return found;
  found.complete = true;
  found.sum = *best;
  const auto [in_heavier, in_lighter] = least_subsets(*heavier, *lighter, *best);
  append_positions(found.positions, in_heavier, 0);
  append_positions(found.positions, in_lighter, plan.size() / 2);
  watch.report("search", 1);
  return found;
}

}  // namespace clopt::subset_sum
