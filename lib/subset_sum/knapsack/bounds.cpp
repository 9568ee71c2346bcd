/// \file
/// What is known of a knapsack before a method runs.
#include <algorithm>
#include <utility>

#include <subset_sum/knapsack/knapsack.hpp>
#include <support/numbers/uint128.hpp>

namespace clopt::subset_sum {

BreakSolution break_solution(const Knapsack& knapsack) {
  return break_solution(knapsack, {0, static_cast<std::int64_t>(knapsack.capacity)});
}

BreakSolution break_solution(const Knapsack& knapsack, const Surrogate& surrogate) {
  BreakSolution solution;
  auto left = surrogate.capacity;
  for (const auto& item : knapsack.items) {
    if (surrogate.of(item) > left) break;
    left -= surrogate.of(item);
    solution.weight += item.weight;
    solution.profit += item.profit;
    ++solution.break_item;
  }
  return solution;
}

Packing greedy(const Knapsack& knapsack) {
  Packing packing;
  auto left = knapsack.capacity;
  for (std::uint32_t i = 0; i < knapsack.items.size(); ++i) {
    const auto& item = knapsack.items[i];
    if (item.weight > left) continue;
    left -= item.weight;
    packing.profit += item.profit;
    packing.positions.push_back(i);
  }
  return packing;
}

Remainder remainder_of(const Knapsack& knapsack, std::uint64_t known_profit) {
  const auto& items = knapsack.items;
  const auto broken = break_solution(knapsack);
  const auto& first_out = items[broken.break_item];
  // The most that a capacity brings, by the items that are not in the break solution.
  const auto most_in = [&](std::uint64_t capacity) {
    return static_cast<std::uint64_t>(Uint128{capacity} * first_out.profit / first_out.weight);
  };
  // Whether more than the known profit is possible where the item is the other way than in the break solution.
  const auto may_change = [&](std::size_t i) {
    const auto& item = items[i];
    const auto left = knapsack.capacity - broken.weight;
    if (i < broken.break_item) return broken.profit - item.profit + most_in(left + item.weight) > known_profit;
    const auto profit = broken.profit + item.profit;
    if (item.weight <= left) return profit + most_in(left - item.weight) > known_profit;
    if (broken.break_item == 0 || profit <= known_profit) return false;
    const auto& last_in = items[broken.break_item - 1];
    return Uint128{profit - known_profit - 1} * last_in.weight >= Uint128{item.weight - left} * last_in.profit;
  };
  Remainder rest;
  rest.knapsack.capacity = knapsack.capacity;
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    if (may_change(i)) {
      rest.knapsack.items.push_back(items[i]);
      rest.positions.push_back(i);
    } else if (i < broken.break_item) {
      rest.knapsack.capacity -= items[i].weight;
      rest.taken.profit += items[i].profit;
      rest.taken.positions.push_back(i);
    }
  }
  return rest;
}

}  // namespace clopt::subset_sum
