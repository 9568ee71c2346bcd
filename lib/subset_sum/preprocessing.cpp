#include "preprocessing.hpp"

#include <algorithm>
#include <numeric>

namespace clopt::subset_sum {

void divide_by_common_divisor(SortedProblem& problem) {
  std::uint64_t divisor = 0;
  for (const Item& item : problem.items) {
    divisor = std::gcd(divisor, item.weight);
    if (divisor == 1) return;
  }
  for (Item& item : problem.items) item.weight /= divisor;
  problem.capacity /= divisor;
  problem.total /= divisor;
  problem.divisor *= divisor;
}

Selection greedy(std::span<const Item> items, std::uint64_t capacity) {
  Selection selection;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].weight > capacity - selection.sum) continue;
    selection.sum += items[i].weight;
    selection.positions.push_back(static_cast<std::uint32_t>(i));
  }
  return selection;
}

Selection complement_of(const Selection& selection, std::span<const Item> items) {
  std::vector<bool> chosen(items.size());
  for (const std::uint32_t position : selection.positions) chosen[position] = true;
  Selection rest;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (chosen[i]) continue;
    rest.sum += items[i].weight;
    rest.positions.push_back(static_cast<std::uint32_t>(i));
  }
  return rest;
}

Plan make_plan(const SortedProblem& problem, std::uint64_t known) {
  Plan plan;
  plan.complement = problem.complement_is_easier();
  auto first = problem.items.begin();
  if (plan.complement) {
    // The total is below twice the capacity, so all of this fits 64 bits. The smallest sum that is at least r stays
    // below r without any one of its items, so it is below r + w_max; an item above it cannot be among them.
    plan.low = static_cast<std::uint64_t>(problem.remainder());
    plan.high = static_cast<std::uint64_t>(problem.total - known);
    while (first->weight > plan.high) ++first;
    plan.high = std::min(plan.high, plan.low + (first->weight - 1));
    while (first->weight > plan.high) ++first;
  } else {
    plan.low = known;
    plan.high = problem.capacity;
  }
  plan.weights.reserve(static_cast<std::size_t>(problem.items.end() - first));
  for (; first != problem.items.end(); ++first) plan.weights.push_back(first->weight);
  return plan;
}

Selection selection_of(const SortedProblem& problem, const Plan& plan, const Found& found) {
  const auto left_out = static_cast<std::uint32_t>(problem.size() - plan.size());
  Selection selection{found.positions, 0};
  for (std::uint32_t& position : selection.positions) {
    position += left_out;
    selection.sum += problem.items[position].weight;
  }
  return plan.complement ? complement_of(selection, problem.items) : selection;
}

}  // namespace clopt::subset_sum
