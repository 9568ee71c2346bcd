#include "reduced_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <clopt/error.hpp>

namespace clopt::subset_sum {

std::vector<Range> item_ranges(const ReducedProblem& reduced) {
  const std::size_t n = reduced.size();
  std::vector<Range> ranges(n);
  std::uint64_t needed = reduced.low;  // low - (w_{i+1}+..+w_n), 0 once the later items can do it alone
  for (std::size_t i = n; i-- > 0;) {
    ranges[i].first = std::max(needed, reduced.weights[i]);
    needed -= std::min(needed, reduced.weights[i]);
  }
  std::uint64_t reachable = 0;  // w_1+..+w_i, at most high
  for (std::size_t i = 0; i < n; ++i) {
    reachable += std::min(reduced.weights[i], reduced.high - reachable);
    ranges[i].last = reachable;
  }
  return ranges;
}

Uint128 capacities_to_sweep(const ReducedProblem& reduced) {
  Uint128 capacities = 0;
  for (const Range& range : item_ranges(reduced)) capacities += range.size();
  return capacities;
}

LargestSum::LargestSum(const ReducedProblem& reduced) : capacity(reduced.high), known(reduced.low) {
  if (reduced.complement) {
    // The reduced problem's weights sum up to less than 2^64.
    std::uint64_t all = 0;
    for (const std::uint64_t weight : reduced.weights) all += weight;
    capacity = all - reduced.low;
    known = all - std::min(all, reduced.high);
  }
  while (skipped < reduced.size() && reduced.weights[skipped] > capacity) ++skipped;
  weights.assign(reduced.weights.begin() + static_cast<std::ptrdiff_t>(skipped), reduced.weights.end());
}

Uint128 LargestSum::total() const {
  Uint128 sum = 0;
  for (const std::uint64_t weight : weights) sum += weight;
  return sum;
}

void LargestSum::answer(const ReducedProblem& reduced, const std::vector<std::uint32_t>& positions,
                        Found& found) const {
  std::vector<bool> chosen(reduced.size());
  for (const std::uint32_t position : positions) chosen[skipped + position] = true;
  if (reduced.complement) chosen.flip();
  found.complete = true;
  found.sum = 0;
  for (std::size_t i = 0; i < reduced.size(); ++i) {
    if (!chosen[i]) continue;
    found.positions.push_back(static_cast<std::uint32_t>(i));
    found.sum += reduced.weights[i];
  }
  if (found.sum < reduced.low || found.sum > reduced.high) {
    throw InternalError(fmt::format("subset-sum: the sum {} is outside {} to {}, where there is one", found.sum,
                                    reduced.low, reduced.high));
  }
}

void require_subset(const ReducedProblem& reduced, const Found& found) {
  if (!found.complete) return;
  std::vector<bool> chosen(reduced.size());
  Uint128 sum = 0;
  for (const auto position : found.positions) {
    if (position >= reduced.size() || chosen[position])
      throw InternalError(fmt::format("subset-sum: the walk back from {} ends with item {} of {}, or has it twice",
                                      found.sum, position, reduced.size()));
    chosen[position] = true;
    sum += reduced.weights[position];
  }
  if (sum != found.sum)
    throw InternalError(
        fmt::format("subset-sum: the sweep found the sum {}, and the walk back a subset with the sum {}", found.sum,
                    static_cast<double>(sum)));
}

std::optional<std::uint64_t> best_sum(const Range& sums, bool smallest,
                                      const std::function<bool(std::uint64_t)>& reached) {
  for (std::uint64_t step = 0; step < sums.size(); ++step) {
    const std::uint64_t sum = smallest ? sums.first + step : sums.last - step;
    if (reached(sum)) return sum;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> best_sum(const ReducedProblem& reduced,
                                      const std::function<bool(std::uint64_t)>& reached) {
  return best_sum({reduced.low, reduced.high}, reduced.complement, reached);
}

std::vector<std::uint32_t> recover(const ReducedProblem& reduced, const FirstItem& first_item, std::uint64_t sum) {
  std::vector<std::uint32_t> positions;
  std::uint64_t before = reduced.size() + 1;
  while (sum != 0) {
    const std::uint32_t item = first_item(sum);
    if (item < 1 || item >= before || reduced.weights[item - 1] > sum) {
      throw InternalError(
          fmt::format("subset-sum: the sweep says that item {} of {} reaches the sum {}, which it cannot; the device "
                      "or its driver computed wrongly",
                      item, reduced.size(), sum));
    }
    positions.push_back(item - 1);
    sum -= reduced.weights[item - 1];
    before = item;
  }
  return positions;
}

std::vector<std::uint32_t> recover(const ReducedProblem& reduced, std::span<const std::uint32_t> g, std::uint64_t sum) {
  return recover(
      reduced, [&](std::uint64_t capacity) { return g[capacity]; }, sum);
}

}  // namespace clopt::subset_sum
