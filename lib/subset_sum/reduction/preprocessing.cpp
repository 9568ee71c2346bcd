#include "preprocessing.hpp"

#include <algorithm>
#include <numeric>

namespace clopt::subset_sum {

void divide_by_common_divisor(SortedProblem& problem) {
  std::uint64_t divisor = 0;
  for (const Item& item : problem.items) {
    // One division, where std::gcd takes a step for each bit.
    if (divisor != 0 && item.weight % divisor == 0) continue;
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

MappedProblem reduce_problem(const SortedProblem& problem, std::uint64_t known, bool bundled) {
  MappedProblem mapped;
  ReducedProblem& reduced = mapped.reduced;
  reduced.complement = problem.complement_is_easier();
  auto first = problem.items.begin();
  if (reduced.complement) {
    // The total is below twice the capacity, so all of this fits 64 bits. The smallest sum that is at least r stays
    // below r without any one of its items, so it is below r + w_max; an item above it cannot be among them.
    reduced.low = static_cast<std::uint64_t>(problem.remainder());
    reduced.high = static_cast<std::uint64_t>(problem.total - known);
    while (first->weight > reduced.high) ++first;
    reduced.high = std::min(reduced.high, reduced.low + (first->weight - 1));
    while (first->weight > reduced.high) ++first;
  } else {
    reduced.low = known;
    reduced.high = problem.capacity;
  }
  const std::span<const Item> items(first, problem.items.end());
  const auto position = static_cast<std::uint32_t>(first - problem.items.begin());
  mapped.items = items.size();
  mapped.bundles = bundled ? bundle_equal_weights(items, position, reduced.high) : single_items(items, position);
  reduced.weights.reserve(mapped.bundles.size());
  for (const Bundle& bundle : mapped.bundles) reduced.weights.push_back(bundle.weight);
  return mapped;
}

Selection selection_of(const SortedProblem& problem, const MappedProblem& mapped, const Found& found) {
  Selection selection{items_of(mapped.bundles, found.positions), 0};
  for (const std::uint32_t position : selection.positions) selection.sum += problem.items[position].weight;
  return mapped.reduced.complement ? complement_of(selection, problem.items) : selection;
}

}  // namespace clopt::subset_sum
