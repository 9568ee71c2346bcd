#include "binary_splitting.hpp"

#include <algorithm>

namespace clopt::subset_sum {

std::vector<Bundle> single_items(std::span<const Item> descending, std::uint32_t first) {
  std::vector<Bundle> bundles;
  bundles.reserve(descending.size());
  for (const Item& item : descending) bundles.push_back({item.weight, first++, 1});
  return bundles;
}

std::vector<Bundle> bundle_equal_weights(std::span<const Item> descending, std::uint32_t first, std::uint64_t most) {
  std::vector<Bundle> bundles;
  std::vector<Item> order;  // their index is the bundle's number
  bool joined = false;
  for (std::size_t begin = 0, end = 0; begin < descending.size(); begin = end) {
    const std::uint64_t weight = descending[begin].weight;
    while (end < descending.size() && descending[end].weight == weight) ++end;
    const auto position = first + static_cast<std::uint32_t>(begin);
    auto left = static_cast<std::uint32_t>(std::min<std::uint64_t>(end - begin, most / weight));
    for (std::uint32_t count = 1; left > 0; count *= 2) {
      const std::uint32_t part = std::min(count, left);
      order.push_back({part * weight, static_cast<std::uint32_t>(bundles.size())});
      bundles.push_back({part * weight, position, part});
      joined |= part > 1;
      left -= part;
    }
  }
  if (!joined) return bundles;
  sort_descending(order);
  std::vector<Bundle> sorted;
  sorted.reserve(bundles.size());
  for (const Item& each : order) sorted.push_back(bundles[each.index]);
  return sorted;
}

std::vector<std::uint32_t> items_of(const std::vector<Bundle>& bundles, std::span<const std::uint32_t> chosen) {
  std::vector<std::uint32_t> in_order(chosen.begin(), chosen.end());
  std::sort(in_order.begin(), in_order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return bundles[a].first < bundles[b].first; });
  std::vector<std::uint32_t> positions;
  for (const std::uint32_t each : in_order) {
    const Bundle& bundle = bundles[each];
    // Other bundles of the same weight took the first ones already.
    std::uint32_t next = bundle.first;
    if (!positions.empty() && positions.back() >= next) next = positions.back() + 1;
    for (std::uint32_t i = 0; i < bundle.count; ++i) positions.push_back(next++);
  }
  return positions;
}

}  // namespace clopt::subset_sum
