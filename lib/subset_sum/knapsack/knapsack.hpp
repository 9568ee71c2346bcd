/// \file
/// The 0-1 knapsack: items have profits apart from their weights, and the largest profit within the capacity is wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clopt::subset_sum {

/// An item that may be chosen: it has a profit, and weighs something, but not more than the capacity.
struct ProfitItem {
  std::uint64_t weight;
  std::uint64_t profit;
  std::uint32_t index;    ///< its place in the input, from 0
  double efficiency = 0;  ///< profit by weight, rounded; 0 where it would not keep the order
};

/// Items by efficiency, that is profit by weight, or by a surrogate constraint, the most efficient first; they do not
/// all fit, and their weights and their profits add up to less than 2^63.
struct Knapsack {
  std::vector<ProfitItem> items;
  std::uint64_t capacity = 0;
  std::uint64_t profit_unit = 1;  ///< by which profits were divided
};

/// Chosen items of a knapsack.
struct Packing {
  std::uint64_t profit = 0;
  std::vector<std::uint32_t> positions;  ///< in its items, from 0
};

/// What a method has found.
struct Packed {
  Packing best;
  bool complete = false;  ///< whether no packing has more profit
  // Of a sweep:
  std::uint64_t steps = 0;  ///< capacities times items
  std::uint64_t launches = 0;
};

/// A constraint that each packing observes that fits and has more than a known profit: a number added to the weight of
/// each item, and a capacity for both together.
struct Surrogate {
  std::int64_t per_item = 0;  ///< above minus the least weight
  std::int64_t capacity = 0;

  std::int64_t of(const ProfitItem& item) const { return static_cast<std::int64_t>(item.weight) + per_item; }
};

/// How much the methods take; tests take less.
struct KnapsackLimits {
  /// States of a core that `auto` keeps before it looks for better bounds: some hundredths of a second.
  std::uint64_t states_before_bounds = std::uint64_t{1} << 20;
  /// States of a core that `auto` keeps before it sweeps: some seconds.
  std::uint64_t most_states = std::uint64_t{1} << 28;
  /// Bytes for the states of a core and their changes; 0: half of the memory that is available.
  std::uint64_t most_bytes = 0;
  /// Changes that a core keeps before it drops those on which no state rests.
  std::size_t changes_before_cleaning = std::size_t{1} << 22;
  /// Less work than some launches cost is done on the host, with a decision for each of its capacities and items.
  std::uint64_t steps_on_host = std::uint64_t{1} << 22;
};

/// The first items that fit one after the other: up to the break item.
struct BreakSolution {
  std::uint64_t weight = 0;
  std::uint64_t profit = 0;
  std::size_t break_item = 0;  ///< the first one that does not fit, or the number of items
};
BreakSolution break_solution(const Knapsack& knapsack);
/// The same by a surrogate constraint.
BreakSolution break_solution(const Knapsack& knapsack, const Surrogate& surrogate);

/// From the most efficient item on, each that still fits. O(n).
Packing greedy(const Knapsack& knapsack);

/// What is left of a knapsack where items are left out, or taken, without which, or with which, no packing has more
/// than a known profit, by the bound of Dembo and Hammer (1980).
struct Remainder {
  Knapsack knapsack;
  std::vector<std::uint32_t> positions;  ///< of its items, in the whole one
  Packing taken;
};
Remainder remainder_of(const Knapsack& knapsack, std::uint64_t known_profit);

}  // namespace clopt::subset_sum
