/// \file
/// What can be said about an instance before any method runs (chapter 4), and the reduced problem for the method.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <support/numbers/uint128.hpp>
#include "binary_splitting.hpp"
#include "items.hpp"
#include "reduced_problem.hpp"

namespace clopt::subset_sum {

/// An instance whose items are sorted in descending order, divided by a common divisor, not all of which fit.
struct SortedProblem {
  std::vector<Item> items;
  std::uint64_t capacity = 0;
  std::uint64_t divisor = 1;
  Uint128 total = 0;  ///< of the items' weights; above the capacity

  std::size_t size() const { return items.size(); }
  /// What must be left out, at least (chapter 4.1). It passes 64 bits where the weights of all items do.
  Uint128 remainder() const { return total - capacity; }
  /// Whether the items left out are easier to search than the items taken: c > total / 2 (algorithm 8).
  bool complement_is_easier() const { return remainder() < capacity; }
};

/// A subset of a SortedProblem: positions in its items, from 0, and their sum.
struct Selection {
  std::vector<std::uint32_t> positions;
  std::uint64_t sum = 0;
};

/// Divides all weights by their greatest common divisor; the capacity rounds down. O(n + log w).
void divide_by_common_divisor(SortedProblem& problem);

/// The trivial solution: from the heaviest item on, take each that still fits (algorithm 10). O(n).
Selection greedy(std::span<const Item> items, std::uint64_t capacity);

/// All items that are not in a selection; the complement's sum must fit 64 bits. O(n).
Selection complement_of(const Selection& selection, std::span<const Item> items);

/// A reduced problem, and what its items stand for.
struct MappedProblem {
  ReducedProblem reduced;
  std::vector<Bundle> bundles;  ///< of reduced.weights, one each
  std::size_t items = 0;        ///< that they come from
};

/// The reduced problem for a method: searches the capacity or what is left out, whichever is smaller, between the best
/// value known and the best that may be. \param known the sum of a subset that is at most the capacity and not 0: z of
/// chapter 4.2. \param bundled whether equal weights are joined, see bundle_equal_weights().
MappedProblem reduce_problem(const SortedProblem& problem, std::uint64_t known, bool bundled);

/// Turns a method's answer to reduce_problem(problem, ...) into a selection of the problem's items.
Selection selection_of(const SortedProblem& problem, const MappedProblem& mapped, const Found& found);

}  // namespace clopt::subset_sum
