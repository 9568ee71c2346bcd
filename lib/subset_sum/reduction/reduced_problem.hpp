/// \file
/// The work that is left for a method after preprocessing, and the answer that a method gives.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <support/numbers/uint128.hpp>
#include "items.hpp"

namespace clopt::subset_sum {

/// A subset-sum problem as methods take it: find the best reachable sum in [low, high]. Some subset reaches that
/// interval (the one behind the bound z of chapter 4.2), and nothing outside it matters.
struct ReducedProblem {
  /// From the heaviest to the lightest, none above high. Item i of the paper is weights[i - 1].
  std::vector<std::uint64_t> weights;
  std::uint64_t low = 0;   ///< the smallest sum searched for; at least 1
  std::uint64_t high = 0;  ///< the largest sum searched for, so capacities 0 to high are swept; below 2^64 - 1
  /// false: the largest sum wins (the capacity itself is searched); true: the smallest wins (chapter 4.1: the items
  /// that are left out are searched, and the sum of all weights is below 2^64).
  bool complement = false;

  std::size_t size() const { return weights.size(); }
  /// Whether a sum in [low, high] cannot be beaten.
  bool is_best(std::uint64_t sum) const { return sum == (complement ? low : high); }
};

/// Capacities from first to last, both included; empty when first > last.
struct Range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t size() const { return first > last ? 0 : last - first + 1; }
};

/// The capacities that matter at each item's step (chapter 4.2): item i can newly reach k only within
/// [max(w_i, low - (w_{i+1}+..+w_n)), min(high, w_1+..+w_i)]. What is
/// needed never begins lower for a later item; only w_i falls, and nothing below w_{i-1} was reached before. A sweep
/// that keeps to these ranges leaves g as the unlimited recursion has it on every capacity that a walk back from [low,
/// high] visits: with s >= low, the sum before item i is at least s - (w_i+..+w_n), which is within the range of every
/// item up to i - 1.
std::vector<Range> item_ranges(const ReducedProblem& reduced);

/// The work of a sweep: the sizes of all ranges together.
Uint128 capacities_to_sweep(const ReducedProblem& reduced);

struct Found;

/// A reduced problem for methods that only search for the largest sum up to a capacity: where the least sum from low on
/// is wanted, the items that are left out are searched for, as their sum is the largest up to the total less low.
struct LargestSum {
  explicit LargestSum(const ReducedProblem& reduced);

  std::vector<std::uint64_t> weights;  ///< from the heaviest to the lightest, none above the capacity
  std::uint64_t capacity = 0;
  std::uint64_t known = 0;  ///< some subset's sum is from known to the capacity; may be 0
  std::size_t skipped = 0;  ///< items of the reduced problem that are above the capacity, its first ones

  /// The weights of all items together; it may pass 2^64.
  Uint128 total() const;
  /// The answer to the reduced problem, from the positions in `weights` of a subset with the largest sum.
  void answer(const ReducedProblem& reduced, const std::vector<std::uint32_t>& positions, Found& found) const;
};

/// What a method found.
struct Found {
  bool complete = false;                 ///< false: it ended before the optimum was certain, by a limit of the run,
                                         ///< unless `undecided` says why
  bool has_partial = false;              ///< not complete, but `positions` are the best subset until then, which is
                                         ///< in [low, high]
  std::string_view undecided;            ///< the question that a method which only decides left open
  std::uint64_t sum = 0;                 ///< the best sum in [low, high], where complete
  std::vector<std::uint32_t> positions;  ///< of the chosen items in ReducedProblem::weights, from 0, in any order
  std::uint64_t capacities_swept = 0;    ///< capacities times items that were worked through
  std::uint64_t launches = 0;            ///< kernels launched
  std::string_view recovery;             ///< of a sweep: "table", "checkpoints", "host" or "list"
  std::uint64_t recovery_bytes = 0;      ///< of a sweep: its vectors and what it kept for the recovery
  /// Of some parts of meet in the middle: what the best pair leaves of the capacity, and the first half's sum.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> pair = std::nullopt;
  double recovery_seconds = 0;  ///< of a sweep: from the optimum to its items
};

/// Checks what a sweep found before its numbers, which come from a device, are used.
/// \throws InternalError where it is complete and its positions are not a subset with its sum.
void require_subset(const ReducedProblem& reduced, const Found& found);

/// The best sum in [low, high] by the reduced problem's direction, given which capacities are reached; none if none is.
std::optional<std::uint64_t> best_sum(const ReducedProblem& reduced,
                                      const std::function<bool(std::uint64_t capacity)>& reached);

/// The largest sum of a range that is reached, or the smallest; none if none is.
std::optional<std::uint64_t> best_sum(const Range& sums, bool smallest,
                                      const std::function<bool(std::uint64_t capacity)>& reached);

/// The first item that reaches a capacity, g(k) of chapter 3.5.1: from 1 to n, n + 1 for a capacity that is not
/// reached.
using FirstItem = std::function<std::uint32_t(std::uint64_t capacity)>;

/// Walks back from a sum: take item g(s), continue with s - w_g(s), until 0 (chapter 3.3, end of algorithm 7). Of all
/// subsets with that sum it is the one whose last item is the earliest, then whose last but one is, and so on.
/// \returns positions in ReducedProblem::weights.
/// \throws InternalError when g is not what a sweep leaves: an item out of range, or not before the one taken last.
std::vector<std::uint32_t> recover(const ReducedProblem& reduced, const FirstItem& first_item, std::uint64_t sum);

/// The same with g in memory, g[k] for k from 0 to the sum.
std::vector<std::uint32_t> recover(const ReducedProblem& reduced, std::span<const std::uint32_t> g, std::uint64_t sum);

}  // namespace clopt::subset_sum
