#include "number_bound.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include <support/numbers/uint128.hpp>

namespace clopt::subset_sum {
namespace {

/// Whether an item comes before another one by profit for each unit of a constraint. Of equal ones those come first
/// with which the number of items is nearest to its limit: the light ones where it has a greatest.
struct Before {
  Surrogate surrogate;

  bool operator()(const ProfitItem& one, const ProfitItem& other) const {
    const auto first = Uint128{one.profit} * Uint128(surrogate.of(other));
    const auto second = Uint128{other.profit} * Uint128(surrogate.of(one));
    if (first != second) return first > second;
    if (one.weight != other.weight) return (one.weight < other.weight) == (surrogate.per_item >= 0);
    return one.index < other.index;
  }
};

/// The linear bound by a constraint, and how many items it takes whole. Partitions the items as quickselect does: O(n).
std::pair<std::uint64_t, std::size_t> linear_bound(std::vector<ProfitItem>& items, const Surrogate& surrogate) {
  auto left = surrogate.capacity;
  std::uint64_t profit = 0;
  auto begin = items.begin();
  for (auto end = items.end(); begin != end;) {
    const auto middle = begin + (end - begin) / 2;
    std::nth_element(begin, middle, end, Before{surrogate});
    std::int64_t used = 0;
    std::uint64_t brings = 0;
    for (auto item = begin; item != middle; ++item) {
      used += surrogate.of(*item);
      brings += item->profit;
    }
    if (used > left) {
      end = middle;
      continue;
    }
    left -= used;
    profit += brings;
    begin = middle;
    if (surrogate.of(*middle) > left) {
      profit += static_cast<std::uint64_t>(Uint128(left) * middle->profit / Uint128(surrogate.of(*middle)));
      break;
    }
    left -= surrogate.of(*middle);
    profit += middle->profit;
    ++begin;
  }
  return {profit, static_cast<std::size_t>(begin - items.begin())};
}

/// How many of some numbers, in their order, add up to at most a limit.
std::size_t fitting(const std::vector<std::uint64_t>& numbers, std::uint64_t limit) {
  std::size_t count = 0;
  for (; count < numbers.size() && numbers[count] <= limit; ++count) limit -= numbers[count];
  return count;
}

/// Takes over the least bound by one limit of the number of items. \param sign 1: it is the greatest; -1: the least.
void improve(NumberBound& best, const Knapsack& knapsack, std::size_t number, int sign, std::int64_t most_factor,
             const Watch& watch) {
  auto items = knapsack.items;
  // The more the number counts, the nearer is that of the linear bound to it: the last factor whose number lies beyond.
  std::int64_t low = 0;
  for (auto high = most_factor; low < high && !watch.expired();) {
    const auto factor = low + (high - low + 1) / 2;
    const Surrogate surrogate{sign * factor, static_cast<std::int64_t>(knapsack.capacity) +
                                                 sign * factor * static_cast<std::int64_t>(number)};
    const auto [most, taken] = linear_bound(items, surrogate);
    if (most < best.most) best = {surrogate, most};
    const bool is_beyond = sign > 0 ? taken >= number : taken <= number;
    is_beyond ? low = factor : high = factor - 1;
  }
}

/// Some of a number of positions: the first ones, and as many of the others, evenly.
std::vector<std::uint32_t> some_of(std::size_t positions) {
  constexpr std::size_t most_first = 320;
  std::vector<std::uint32_t> chosen(std::min(most_first, positions));
  std::iota(chosen.begin(), chosen.end(), 0U);
  const auto others = positions - chosen.size();
  const auto more = std::min(most_first, others);
  for (std::size_t i = 0; i < more; ++i) chosen.push_back(static_cast<std::uint32_t>(most_first + i * others / more));
  return chosen;
}

constexpr auto none = std::numeric_limits<std::uint32_t>::max();

/// An item taken out, and another one taken in.
struct Exchange {
  std::int64_t weight;
  std::int64_t profit;
  std::uint32_t out, in;

  bool excludes(const Exchange& other) const {
    return (out != none && out == other.out) || (in != none && in == other.in);
  }
};

/// By weight, the one that changes nothing among them.
std::vector<Exchange> exchanges_of(const std::vector<ProfitItem>& items, std::size_t break_item) {
  auto outs = some_of(break_item);
  auto ins = some_of(items.size() - break_item);
  for (auto& out : outs) out = static_cast<std::uint32_t>(break_item - 1 - out);
  for (auto& in : ins) in += static_cast<std::uint32_t>(break_item);
  outs.push_back(none);
  ins.push_back(none);
  std::vector<Exchange> exchanges;
  exchanges.reserve(outs.size() * ins.size());
  const auto weight = [&](std::uint32_t i) { return i == none ? 0 : static_cast<std::int64_t>(items[i].weight); };
  const auto profit = [&](std::uint32_t i) { return i == none ? 0 : static_cast<std::int64_t>(items[i].profit); };
  for (const auto out : outs)
    for (const auto in : ins) exchanges.push_back({weight(in) - weight(out), profit(in) - profit(out), out, in});
  std::sort(exchanges.begin(), exchanges.end(), [](const Exchange& one, const Exchange& other) {
    if (one.weight != other.weight) return one.weight < other.weight;
    if (one.profit != other.profit) return one.profit > other.profit;
    return std::pair(one.out, one.in) < std::pair(other.out, other.in);
  });
  return exchanges;
}

}  // namespace

NumberBound bound_by_number(const Knapsack& knapsack, std::uint64_t known_profit, const Watch& watch) {
  auto items = knapsack.items;
  NumberBound best{{0, static_cast<std::int64_t>(knapsack.capacity)}, 0};
  best.most = linear_bound(items, best.surrogate).first;
  std::vector<std::uint64_t> weights, profits;
  std::uint64_t sum = 0;
  for (const auto& item : items) {
    weights.push_back(item.weight);
    profits.push_back(item.profit);
    sum += item.weight;
  }
  std::sort(weights.begin(), weights.end());
  std::sort(profits.begin(), profits.end(), std::greater<>());
  // Sums with a factor for each item stay below 2^63.
  const auto room = (static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) - sum) / items.size();
  const auto greatest = fitting(weights, knapsack.capacity);
  improve(best, knapsack, greatest, 1, static_cast<std::int64_t>(std::min(room, weights.back())), watch);
  // More than the known profit takes one item more than those that do not exceed it.
  const auto least = fitting(profits, known_profit) + 1;
  if (least > greatest) return {best.surrogate, known_profit};
  improve(best, knapsack, least, -1, static_cast<std::int64_t>(weights.front()) - 1, watch);
  return best;
}

Reordered reordered(const Knapsack& knapsack, const Surrogate& surrogate) {
  Reordered result{{{}, knapsack.capacity, knapsack.profit_unit}, std::vector<std::uint32_t>(knapsack.items.size())};
  std::iota(result.positions.begin(), result.positions.end(), 0U);
  std::sort(result.positions.begin(), result.positions.end(), [&](std::uint32_t one, std::uint32_t other) {
    return Before{surrogate}(knapsack.items[one], knapsack.items[other]);
  });
  for (const auto position : result.positions) result.knapsack.items.push_back(knapsack.items[position]);
  return result;
}

std::optional<Packing> exchanged(const Knapsack& knapsack, const Surrogate& surrogate, std::uint64_t known_profit,
                                 std::uint64_t most) {
  const auto first = break_solution(knapsack, surrogate);
  const auto exchanges = exchanges_of(knapsack.items, first.break_item);
  const auto room = static_cast<std::int64_t>(knapsack.capacity) - static_cast<std::int64_t>(first.weight);
  auto best = static_cast<std::int64_t>(known_profit) - static_cast<std::int64_t>(first.profit);
  std::optional<std::pair<Exchange, Exchange>> found;
  // The heavier the one, the lighter the other; of the lighter ones the one with the most profit.
  auto other = exchanges.begin();
  auto richest = exchanges.end();
  for (auto one = exchanges.rbegin(); one != exchanges.rend(); ++one) {
    for (; other != exchanges.end() && other->weight <= room - one->weight; ++other)
      if (richest == exchanges.end() || other->profit > richest->profit) richest = other;
    // Profits of different items add up to less than 2^63.
    if (richest == exchanges.end() || one->excludes(*richest) || one->profit + richest->profit <= best) continue;
    best = one->profit + richest->profit;
    found.emplace(*one, *richest);
    if (static_cast<std::uint64_t>(best + static_cast<std::int64_t>(first.profit)) >= most) break;
  }
  if (!found) return std::nullopt;
  std::vector<bool> is_in(knapsack.items.size());
  std::fill_n(is_in.begin(), first.break_item, true);
  for (const auto& exchange : {found->first, found->second}) {
    if (exchange.out != none) is_in[exchange.out] = false;
    if (exchange.in != none) is_in[exchange.in] = true;
  }
  Packing packing{static_cast<std::uint64_t>(best + static_cast<std::int64_t>(first.profit)), {}};
  for (std::uint32_t i = 0; i < is_in.size(); ++i)
    if (is_in[i]) packing.positions.push_back(i);
  return packing;
}

}  // namespace clopt::subset_sum
