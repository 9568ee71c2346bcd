#include "meet_in_the_middle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <clopt/error.hpp>
#include <limits>

#include "four_lists.hpp"
#include "sum_list.hpp"

namespace clopt::subset_sum {
namespace {

constexpr std::size_t bytes_a_sum = sizeof(std::uint64_t) + sizeof(Subset);
/// Steps of a search between two readings of the clock: about a millisecond.
constexpr std::size_t steps_between_looks = std::size_t{1} << 18;

/// The number of distinct sums of some items that are at most a limit, or more.
Uint128 bound_of_sums(std::span<const std::uint64_t> weights, std::uint64_t high) {
  Uint128 total = 0;
  for (const std::uint64_t weight : weights) total += weight;
  const Uint128 different = std::min<Uint128>(total, high) + 1;
  return weights.size() < 64 ? std::min(different, Uint128{1} << weights.size()) : different;
}

/// Where a sweep might answer too, the answer must be the subset that a sweep gives, on every device.
constexpr std::uint64_t sums_that_none_sweeps = std::uint64_t{1} << 38;
constexpr std::size_t few_items = 24;

bool uses_four_lists(const ReducedProblem& reduced) {
  return reduced.high >= sums_that_none_sweeps && reduced.size() > few_items && reduced.size() <= 2 * most_items_a_list;
}

std::span<const std::uint64_t> heavier_half(const ReducedProblem& reduced) {
  return std::span(reduced.weights).first(reduced.size() / 2);
}
std::span<const std::uint64_t> lighter_half(const ReducedProblem& reduced) {
  return std::span(reduced.weights).subspan(reduced.size() / 2);
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
  for (std::size_t i = 0; i < most_items_a_list; ++i) {
    if ((subset >> i & 1) != 0) positions.push_back(static_cast<std::uint32_t>(first + i));
  }
}

}  // namespace

MeetInTheMiddleNeed meet_in_the_middle_need(const ReducedProblem& reduced) {
  const Uint128 heavier = bound_of_sums(heavier_half(reduced), reduced.high);
  const Uint128 lighter = bound_of_sums(lighter_half(reduced), reduced.high);
  if (uses_four_lists(reduced)) return {heavier + lighter, four_lists_bytes(reduced, FourListsShape{}), true};
  // The second list is merged from one of about half its size while the first is held.
  return {heavier + lighter, (heavier + lighter + std::max(heavier, lighter) / 2) * bytes_a_sum, false};
}

Found meet_in_the_middle(const ReducedProblem& reduced, Device& device, const Watch& watch,
                         const std::optional<WorkRange>& parts) {
  const MeetInTheMiddleNeed need = meet_in_the_middle_need(reduced);
  if (reduced.size() > 2 * most_items_a_list || need.bytes > meet_in_the_middle_memory) {
    throw InvalidInput(
        fmt::format("method meet-in-the-middle: {} items need up to {} sums in {} bytes, at most {} items and {} bytes "
                    "are allowed; use `method` auto",
                    reduced.size(), need.sums, need.bytes, 2 * most_items_a_list, meet_in_the_middle_memory));
  }
  if (uses_four_lists(reduced)) return four_lists(reduced, device, watch, four_lists_shape(device), parts);
  if (parts)
    throw InvalidInput(fmt::format(
        "method meet-in-the-middle: {} items with sums up to {} are met in the host's memory at once, which "
        "cannot be divided and takes a moment; leave `range` out",
        reduced.size(), reduced.high));
  Found found;
  watch.report("lists", 0);
  const auto heavier = list_sums(heavier_half(reduced), reduced.high, watch);
  if (!heavier) return found;
  watch.report("lists", 0.5);
  const auto lighter = list_sums(lighter_half(reduced), reduced.high, watch);
  if (!lighter) return found;
  watch.report("search", 0);
  const auto best = reduced.complement ? smallest_from(*heavier, *lighter, reduced.low, watch)
                                       : largest_up_to(*heavier, *lighter, reduced.high, watch);
  if (!best) return found;
  found.complete = true;
  found.sum = *best;
  const auto [in_heavier, in_lighter] = least_subsets(*heavier, *lighter, *best);
  append_positions(found.positions, in_heavier, 0);
  append_positions(found.positions, in_lighter, reduced.size() / 2);
  watch.report("search", 1);
  return found;
}

}  // namespace clopt::subset_sum
