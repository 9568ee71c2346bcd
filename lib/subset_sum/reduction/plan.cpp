#include "plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <clopt/error.hpp>

namespace clopt::subset_sum {

std::vector<Range> item_ranges(const Plan& plan) {
  const std::size_t n = plan.size();
  std::vector<Range> ranges(n);
  std::uint64_t needed = plan.low;  // low - (w_{i+1}+..+w_n), 0 once the later items can do it alone
  for (std::size_t i = n; i-- > 0;) {
    ranges[i].first = std::max(needed, plan.weights[i]);
    needed -= std::min(needed, plan.weights[i]);
  }
  std::uint64_t reachable = 0;  // w_1+..+w_i, at most high
  for (std::size_t i = 0; i < n; ++i) {
    reachable += std::min(plan.weights[i], plan.high - reachable);
    ranges[i].last = reachable;
  }
  return ranges;
}

Uint128 capacities_to_sweep(const Plan& plan) {
  Uint128 capacities = 0;
  for (const Range& range : item_ranges(plan)) capacities += range.size();
  return capacities;
}

LargestSum::LargestSum(const Plan& plan) : capacity(plan.high), known(plan.low) {
  if (plan.complement) {
    // The plan's weights sum up to less than 2^64.
    std::uint64_t all = 0;
    for (const std::uint64_t weight : plan.weights) all += weight;
    capacity = all - plan.low;
    known = all - std::min(all, plan.high);
  }
  while (skipped < plan.size() && plan.weights[skipped] > capacity) ++skipped;
  weights.assign(plan.weights.begin() + static_cast<std::ptrdiff_t>(skipped), plan.weights.end());
}

Uint128 LargestSum::total() const {
  Uint128 sum = 0;
  for (const std::uint64_t weight : weights) sum += weight;
  return sum;
}

void LargestSum::answer(const Plan& plan, const std::vector<std::uint32_t>& positions, Found& found) const {
  std::vector<bool> chosen(plan.size());
  for (const std::uint32_t position : positions) chosen[skipped + position] = true;
  if (plan.complement) chosen.flip();
  found.complete = true;
  found.sum = 0;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (!chosen[i]) continue;
    found.positions.push_back(static_cast<std::uint32_t>(i));
    found.sum += plan.weights[i];
  }
  if (found.sum < plan.low || found.sum > plan.high) {
    throw InternalError(
        fmt::format("subset-sum: the sum {} is outside {} to {}, where there is one", found.sum, plan.low, plan.high));
  }
}

void require_subset(const Plan& plan, const Found& found) {
  if (!found.complete) return;
  std::vector<bool> chosen(plan.size());
  Uint128 sum = 0;
  for (const auto position : found.positions) {
    if (position >= plan.size() || chosen[position])
      throw InternalError(fmt::format("subset-sum: the walk back from {} ends with item {} of {}, or has it twice",
                                      found.sum, position, plan.size()));
    chosen[position] = true;
    sum += plan.weights[position];
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

std::optional<std::uint64_t> best_sum(const Plan& plan, const std::function<bool(std::uint64_t)>& reached) {
  return best_sum({plan.low, plan.high}, plan.complement, reached);
}

std::vector<std::uint32_t> recover(const Plan& plan, const FirstItem& first_item, std::uint64_t sum) {
  std::vector<std::uint32_t> positions;
  std::uint64_t before = plan.size() + 1;
  while (sum != 0) {
    const std::uint32_t item = first_item(sum);
    if (item < 1 || item >= before || plan.weights[item - 1] > sum) {
      throw InternalError(
          fmt::format("subset-sum: the sweep says that item {} of {} reaches the sum {}, which it cannot; the device "
                      "or its driver computed wrongly",
                      item, plan.size(), sum));
    }
    positions.push_back(item - 1);
    sum -= plan.weights[item - 1];
    before = item;
  }
  return positions;
}

std::vector<std::uint32_t> recover(const Plan& plan, std::span<const std::uint32_t> g, std::uint64_t sum) {
  return recover(
      plan, [&](std::uint64_t capacity) { return g[capacity]; }, sum);
}

}  // namespace clopt::subset_sum
