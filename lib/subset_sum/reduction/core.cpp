#include "core.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <support/numbers/uint128.hpp>

namespace clopt::subset_sum {
namespace {

/// Estimates how many subsets hit the rest. Subsets of k items have sums about k times the mean weight, with a variance
/// that is known from the weights' own; they are summed up over k as normal distributions, because weights that are
/// nearly alike leave gaps between one k and the next.
void estimate(std::span<const Item> items, Core& core) {
  const auto size = static_cast<double>(core.positions.size());
  double mean = 0;
  double squares = 0;
  for (const std::uint32_t position : core.positions) {
    const auto weight = static_cast<double>(items[position].weight);
    mean += weight / size;
    squares += weight * weight;
  }
  const double variance = std::max(0.0, squares / size - mean * mean);
  core.spread = std::sqrt(squares) / 2;
  core.solutions = 0;
  double subsets = 1;  // of k items
  for (double k = 0; k <= size; ++k) {
    // At least the distance of two integers, for a subset of none or all.
    const double variance_of_sums = std::max(1.0, size > 1 ? variance * k * (size - k) / (size - 1) : 0.0);
    const double distance = static_cast<double>(core.rest) - k * mean;
    core.solutions += subsets * std::exp(-distance * distance / (2 * variance_of_sums)) /
                      std::sqrt(2 * std::numbers::pi * variance_of_sums);
    subsets *= (size - k) / (k + 1);
  }
}

/// Items on both sides of the break item, every `stride`-th.
Core around_break(std::span<const Item> items, const Break& broken, std::size_t size, std::size_t stride) {
  const std::size_t before = broken.item / stride;
  const std::size_t after = (items.size() - broken.item + stride - 1) / stride;
  const std::size_t left = std::min(before, std::max(size / 2, size - std::min(size, after)));
  Core core;
  core.taken = broken.item;
  core.rest = broken.left;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t position = i < left ? broken.item - (left - i) * stride : broken.item + (i - left) * stride;
    core.positions.push_back(static_cast<std::uint32_t>(position));
    if (i < left) core.rest += items[position].weight;
  }
  return core;
}

/// The heaviest items in a row of which half sum up to the target or less; none of the others is in.
Core light_enough(std::span<const Item> items, const Break& broken, std::size_t size) {
  Uint128 sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += items[i].weight;
  std::size_t first = 0;
  for (; first + size < items.size() && sum / 2 > broken.target; ++first) {
    sum += items[first + size].weight;
    sum -= items[first].weight;
  }
  Core core;
  core.rest = broken.target;
  for (std::size_t i = 0; i < size; ++i) core.positions.push_back(static_cast<std::uint32_t>(first + i));
  return core;
}

}  // namespace

Break break_of(std::span<const Item> descending, std::uint64_t target) {
  Break broken{0, target, target};
  while (broken.item < descending.size() && descending[broken.item].weight <= broken.left) {
    broken.left -= descending[broken.item++].weight;
  }
  return broken;
}

Core best_core(std::span<const Item> descending, const Break& broken, std::size_t size) {
  Core best;
  const auto consider = [&](Core core) {
    estimate(descending, core);
    if (best.positions.empty() || core.solutions > best.solutions) best = std::move(core);
  };
  for (std::size_t stride = 1; stride == 1 || stride <= descending.size() / size; stride *= 2) {
    // Both sides together always hold enough items for a stride of half of that.
    const std::size_t held = broken.item / stride + (descending.size() - broken.item + stride - 1) / stride;
    if (held >= size) consider(around_break(descending, broken, size, stride));
  }
  if (broken.item < size / 2) consider(light_enough(descending, broken, size));
  return best;
}

}  // namespace clopt::subset_sum
