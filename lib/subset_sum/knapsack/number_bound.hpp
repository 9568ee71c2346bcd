/// \file
/// What the number of a knapsack's items says of its profit.
#pragma once

#include <clopt/run.hpp>

#include <cstdint>
#include <optional>
#include <vector>

#include <subset_sum/knapsack/knapsack.hpp>

namespace clopt::subset_sum {

/// A surrogate constraint, and the most profit that it allows.
struct NumberBound {
  Surrogate surrogate;
  std::uint64_t most = 0;
};

/// The least bound by the most items that fit, or by the fewest that bring more than a known profit, which are added to
/// the capacity with a factor (Martello, Pisinger and Toth, "Dynamic programming and strong bounds for the 0-1 knapsack
/// problem", 1999). Profits that exceed the weights by a constant have it at their optimum, mostly. A linear bound,
/// O(n), for each bit of the largest weight. A limit of the run leaves the least bound so far.
NumberBound bound_by_number(const Knapsack& knapsack, std::uint64_t known_profit, const Watch& watch);

/// A knapsack's items in another order.
struct Reordered {
  Knapsack knapsack;
  std::vector<std::uint32_t> positions;  ///< of its items, in the one before
};
/// By profit for each unit of a surrogate constraint, the most first.
Reordered reordered(const Knapsack& knapsack, const Surrogate& surrogate);

/// The packing with the most profit of those that differ from the first items, as far as a surrogate constraint lets
/// them in, by at most two exchanges, each of an item in for one out, or of one alone. Some hundred thousand exchanges
/// of chosen items are tried, each with the best that goes along. \param items sorted by the constraint. \param most
/// the profit at which it ends. \returns nothing where none has more than the known profit.
std::optional<Packing> exchanged(const Knapsack& knapsack, const Surrogate& surrogate, std::uint64_t known_profit,
                                 std::uint64_t most);

}  // namespace clopt::subset_sum
