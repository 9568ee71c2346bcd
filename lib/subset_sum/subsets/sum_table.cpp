#include "sum_table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

#include "sum_layers.hpp"

namespace clopt::subset_sum {
namespace {

/// What is kept of layers while subsets are walked back.
constexpr double usual_bytes = 32e6;
constexpr double bytes_a_second = 5e9;
/// The layers are computed once to the end, and about as often again on the way back.
constexpr double passes = 3;

/// One walk over layers of a kind.
template <class Layer>
class Walk {
 public:
  Walk(const std::vector<TableItem>& items, std::uint64_t limit, std::size_t count, const Watch& watch)
      : items_(items), limit_(limit), count_(count), watch_(watch), order_(items.size()), top_(items.size() + 1) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t one, std::size_t other) { return items[one].weight < items[other].weight; });
    for (std::size_t i = 0; i < items.size(); ++i)
      top_[i + 1] = std::min(limit, top_[i] + std::min(limit, items[order_[i]].weight));
    const auto held = usual_bytes / (Layer::bytes(static_cast<double>(limit), count) + 1);
    block_ = static_cast<std::size_t>(std::clamp(held, 1.0, static_cast<double>(items.size()) + 1));
  }

  /// The layer of all items; none where the run must end.
  std::optional<Layer> last() { return advanced(Layer(limit_, count_), 0, items_.size()); }

  bool list(std::int32_t count, SubsetList& subsets) {
    most_ = subsets.most();
    partial_ = {{limit_, count, no_node}};
    if (!walk_back(Layer(limit_, count_), 0, items_.size())) return false;
    for (const auto& each : partial_) {
      Subset subset;
      for (auto node = each.node; node != no_node; node = nodes_[node].before) subset.push_back(nodes_[node].item);
      subsets.add(std::move(subset));
    }
    return true;
  }

 private:
  static constexpr std::uint32_t no_node = 0xffffffff;

  /// Items that were taken, from the last one on: each completes to at least one subset with those before.
  struct Partial {
    std::uint64_t sum;   ///< that is left
    std::int32_t count;  ///< that is left
    std::uint32_t node;  ///< the item that was taken last
  };
  struct Node {
    std::uint32_t item;
    std::uint32_t before;
  };

  const TableItem& item(std::size_t i) const { return items_[order_[i]]; }

  std::optional<Layer> advanced(Layer layer, std::size_t first, std::size_t end) {
    Layer next(limit_, count_);
    for (auto i = first; i < end; ++i) {
      if (watch_.expired()) return std::nullopt;
      next.add(layer, item(i), top_[i + 1]);
      std::swap(layer, next);
    }
    return layer;
  }

  // Takes the items from `end` on down to `first`. \param layer of the items before the first.
  bool walk_back(const Layer& layer, std::size_t first, std::size_t end) {
    if (end - first > block_) {
      const auto middle = first + (end - first) / 2;
      {
        const auto half = advanced(layer, first, middle);
        if (!half || !walk_back(*half, middle, end)) return false;
      }
      return walk_back(layer, first, middle);
    }
    std::vector<Layer> layers{layer};
    for (auto i = first; i + 1 < end; ++i) {
      if (watch_.expired()) return false;
      layers.emplace_back(limit_, count_).add(layers[i - first], item(i), top_[i + 1]);
    }
    for (auto i = end; i-- > first;) {
      if (watch_.expired()) return false;
      take_or_leave(i, layers[i - first]);
      layers.pop_back();
    }
    return true;
  }

  void take_or_leave(std::size_t i, const Layer& before) {
    std::vector<Partial> next;
    const auto& [weight, cost] = item(i);
    for (const auto& each : partial_) {
      if (next.size() > most_) break;
      if (before.has(each.sum, each.count)) next.push_back(each);
      if (each.sum < weight || !before.has(each.sum - weight, each.count - cost)) continue;
      nodes_.push_back({static_cast<std::uint32_t>(order_[i]), each.node});
      next.push_back({each.sum - weight, each.count - cost, static_cast<std::uint32_t>(nodes_.size() - 1)});
    }
    // Each of them leads to another subset: one more than are wanted shows that there are more.
    if (next.size() > most_ + 1) next.resize(most_ + 1);
    partial_ = std::move(next);
  }

  const std::vector<TableItem>& items_;
  std::uint64_t limit_;
  std::size_t count_;
  const Watch& watch_;
  std::vector<std::size_t> order_;  ///< of the items, from the lightest on
  std::vector<std::uint64_t> top_;  ///< the largest sum of the first items, up to the limit
  std::size_t block_ = 1;           ///< layers that are kept
  std::vector<Partial> partial_;
  std::vector<Node> nodes_;
  std::size_t most_ = 0;  ///< subsets that are wanted
};

// Calls \p visit with a layer's type for a table, as a null pointer, and the count that its layers take.
template <class Visit>
auto with_layer(TableKind kind, std::size_t items, std::size_t count, const Visit& visit) {
  if (kind == TableKind::reached) return visit(static_cast<ReachedSums*>(nullptr), ReachedSums::any_count);
  if (kind == TableKind::each_count) return visit(static_cast<ReachedSums*>(nullptr), count);
  if (items <= most_counted_items<std::int16_t>) return visit(static_cast<LeastCounts<std::int16_t>*>(nullptr), count);
  return visit(static_cast<LeastCounts<std::int32_t>*>(nullptr), count);
}

}  // namespace

double SumTable::bytes(TableKind kind, std::size_t items, double limit, std::size_t count) {
  const auto layer =
      with_layer(kind, items, count, [&]<class Layer>(Layer*, std::size_t of) { return Layer::bytes(limit, of); });
  // Those of the halvings, the two that are computed, and one block.
  return layer * (std::log2(static_cast<double>(items) + 1) + 4) +
         std::min(usual_bytes, layer * static_cast<double>(items));
}

double SumTable::seconds(TableKind kind, std::size_t items, double limit, std::size_t count) {
  const auto layer =
      with_layer(kind, items, count, [&]<class Layer>(Layer*, std::size_t of) { return Layer::bytes(limit, of); });
  return passes * static_cast<double>(items) * layer / bytes_a_second;
}

bool SumTable::best(std::optional<std::uint64_t>& sum) {
  const auto last = Walk<ReachedSums>(items_, limit_, count_, watch_).last();
  if (last) sum = last->largest(limit_);
  return last.has_value();
}

bool SumTable::least_count(std::optional<std::int32_t>& count) {
  return with_layer(kind_, items_.size(), count_, [&]<class Layer>(Layer*, std::size_t) {
    if constexpr (!std::is_same_v<Layer, ReachedSums>) {
      const auto last = Walk<Layer>(items_, limit_, count_, watch_).last();
      if (last) count = last->least(limit_);
      return last.has_value();
    }
    return false;
  });
}

bool SumTable::list(std::int32_t count, SubsetList& subsets) {
  return with_layer(kind_, items_.size(), count_, [&]<class Layer>(Layer*, std::size_t of) {
    return Walk<Layer>(items_, limit_, of, watch_).list(count, subsets);
  });
}

}  // namespace clopt::subset_sum
