#include "decomp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <clopt/error.hpp>

#include "sum_set.hpp"

namespace clopt::subset_sum {
namespace {

constexpr std::size_t matches_between_looks = std::size_t{1} << 16;

/// A pair of sums, and what is left of the capacity with it.
struct PairMatch {
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
  std::uint64_t left = 0;
};

/// Improves a match by all pairs of both lists, with what is left by the break solution; false when the run must end.
bool match_lists(const SumSet& added, const SumSet& removed, std::uint64_t left, PairMatch& best, const Watch& watch) {
  SumSet::Cursor more(added);
  SumSet::Cursor less(removed);
  auto next = more.peek();
  for (std::size_t step = 1; best.left != 0; ++step) {
    if (step % matches_between_looks == 0 && watch.expired()) return false;
    const std::uint64_t room = left + less.sum();
    if (next && *next <= room) {
      more.move_to(*next);
      next = more.peek();
      continue;
    }
    if (room - more.sum() < best.left) best = {more.sum(), less.sum(), room - more.sum()};
    const auto next_less = less.peek();
    if (!next_less) break;
    less.move_to(*next_less);
  }
  return true;
}

void refuse_beyond(const SumSet& list, std::string_view what, std::uint64_t most) {
  if (list.bytes() <= most) return;
  throw InvalidInput(fmt::format(
      "method decomp: the list of {} sums up to {}, of {}, takes {} bytes, at most {} are allowed; use `method` auto",
      list.count(), list.limit(), what, list.bytes(), most));
}

}  // namespace

Found decomp(const ReducedProblem& reduced, const Watch& watch, const DecompMemory& memory) {
  const LargestSum problem(reduced);
  const std::vector<std::uint64_t>& weights = problem.weights;
  std::size_t broken = 0;
  std::uint64_t left = problem.capacity;
  while (broken < weights.size() && weights[broken] <= left) left -= weights[broken++];

  // A pair that is better than the break solution and than what is known removes less than it adds.
  const std::uint64_t inside = problem.capacity - left;
  const Uint128 outside = problem.total() - inside;
  const std::uint64_t most_added = static_cast<std::uint64_t>(std::min<Uint128>(outside, problem.capacity));
  const std::uint64_t gain = problem.known - std::min(problem.known, inside);
  const std::uint64_t most_removed = std::min(inside, most_added - std::min(most_added, gain));
  SumSet added(std::min(most_added, left + most_removed), memory.sparse);
  SumSet removed(most_removed, memory.sparse);

  Found found;
  PairMatch best{0, 0, left};
  std::size_t to_remove = broken;
  std::size_t to_add = broken;
  std::uint64_t matched = 1;
  while (best.left != 0 && (to_remove > 0 || to_add < weights.size())) {
    const bool adds = to_add < weights.size() && (to_remove == 0 || added.count() <= removed.count());
    if (!(adds ? added.add_item(weights[to_add++], watch) : removed.add_item(weights[--to_remove], watch)) ||
        watch.expired()) {
      return found;
    }
    refuse_beyond(added, "the items outside the break solution", memory.each_list);
    refuse_beyond(removed, "the items of the break solution", memory.each_list);
    const std::uint64_t sums = added.count() + removed.count();
    const bool last = to_remove == 0 && to_add == weights.size();
    watch.report("lists", static_cast<double>(to_add - to_remove) / static_cast<double>(weights.size()));
    if (sums < 2 * matched && !last) continue;
    matched = sums;
    if (!match_lists(added, removed, left, best, watch)) return found;
  }
  found.capacities_swept = added.steps() + removed.steps();

  std::vector<bool> chosen(weights.size());
  std::fill_n(chosen.begin(), broken, true);
  for (const std::uint32_t item : added.items_of(best.added)) chosen[broken + item] = true;
  for (const std::uint32_t item : removed.items_of(best.removed)) chosen[broken - 1 - item] = false;
  std::vector<std::uint32_t> positions;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i]) positions.push_back(static_cast<std::uint32_t>(i));
  }
  problem.answer(reduced, positions, found);
  return found;
}

Found decomp(const ReducedProblem& reduced, const Watch& watch) { return decomp(reduced, watch, DecompMemory{}); }

}  // namespace clopt::subset_sum
