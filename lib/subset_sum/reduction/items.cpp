#include "items.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace clopt::subset_sum {
namespace {

constexpr int digit_bits = 11;
constexpr std::size_t digit_values = std::size_t{1} << digit_bits;
constexpr std::size_t items_that_are_compared = 512;  ///< below, clearing the counters costs more than comparing

std::size_t descending_digit(std::uint64_t weight, int shift) { return ~(weight >> shift) & (digit_values - 1); }

}  // namespace

std::vector<Item> items_within_capacity(const Instance& instance) {
  std::vector<Item> items;
  items.reserve(instance.weights.size());
  for (std::size_t i = 0; i < instance.weights.size(); ++i) {
    if (instance.weights[i] <= instance.capacity) items.push_back({instance.weights[i], static_cast<std::uint32_t>(i)});
  }
  return items;
}

Uint128 total_weight(const std::vector<Item>& items) {
  Uint128 total = 0;
  for (const Item& item : items) total += item.weight;
  return total;
}

void sort_descending(std::vector<Item>& items) {
  if (items.size() < items_that_are_compared) {
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
      return a.weight != b.weight ? a.weight > b.weight : a.index < b.index;
    });
    return;
  }
  std::uint64_t used_bits = 0;
  for (const Item& item : items) used_bits |= item.weight;
  std::vector<Item> sorted(items.size());
  for (int shift = 0; shift < static_cast<int>(std::bit_width(used_bits)); shift += digit_bits) {
    std::array<std::size_t, digit_values> place{};
    for (const Item& item : items) ++place[descending_digit(item.weight, shift)];
    std::size_t begin = 0;
    for (std::size_t& count : place) begin += std::exchange(count, begin);
    for (const Item& item : items) sorted[place[descending_digit(item.weight, shift)]++] = item;
    items.swap(sorted);
  }
}

}  // namespace clopt::subset_sum
