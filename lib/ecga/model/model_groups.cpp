#include "model_groups.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace clopt::ecga {

ModelGroups::ModelGroups(std::span<const std::int64_t> entropies)
    : loci_(entropies.size()),
      lowest_(entropies.size()),
      parts_(entropies.size()),
      entropies_(entropies.begin(), entropies.end()),
      alive_(entropies.size(), 1),
      neighbours_(entropies.size()) {
  for (std::uint32_t i = 0; i < entropies.size(); ++i) {
    loci_[i] = {i};
    lowest_[i] = i;
  }
}

std::uint64_t ModelGroups::key(std::uint32_t one, std::uint32_t other) {
  return std::uint64_t{std::max(one, other)} << 32 | std::min(one, other);
}

Candidate ModelGroups::candidate(std::uint32_t one, std::uint32_t other, std::int64_t gain) const {
  if (lowest_[one] > lowest_[other]) std::swap(one, other);
  return {gain, one, other, lowest_[one], lowest_[other]};
}

std::uint32_t ModelGroups::find(std::uint32_t one, std::uint32_t other) const {
  const auto found = unions_.find(key(one, other));
  return found == unions_.end() ? 0 : found->second;
}

std::uint32_t ModelGroups::add(const Union& parts) {
  const auto group = size();
  auto loci = loci_[parts.first];
  loci.insert(loci.end(), loci_[parts.second].begin(), loci_[parts.second].end());
  loci_.push_back(std::move(loci));
  lowest_.push_back(std::min(lowest_[parts.first], lowest_[parts.second]));
  parts_.push_back(parts);
  alive_.push_back(0);
  entropies_.push_back(0);
  neighbours_.emplace_back();
  unions_[key(parts.first, parts.second)] = group;
  return group;
}

void ModelGroups::add_edges(std::span<const Edge> edges) {
  for (const auto& edge : edges) {
    neighbours_[edge.first].push_back({edge.second, edge.gain});
    neighbours_[edge.second].push_back({edge.first, edge.gain});
  }
}

void ModelGroups::take(std::uint32_t group, std::int64_t information) {
  entropies_[group] = entropies_[parts_[group].first] + entropies_[parts_[group].second] - information;
  alive_[parts_[group].first] = 0;
  alive_[parts_[group].second] = 0;
  alive_[group] = 1;
}

namespace {

/// What a union of two groups is estimated to gain. Larger gains come first.
struct Estimate {
  std::int64_t gain;
  std::int64_t information;
  std::uint32_t one;
  std::uint32_t other;
  friend bool operator<(const Estimate& a, const Estimate& b) {
    if (a.gain != b.gain) return a.gain < b.gain;
    return a.one != b.one ? a.one > b.one : a.other > b.other;
  }
};

/// A queue of estimates, most of which are never asked for, or only after their groups have vanished. So just some of
/// the largest are a heap, which stays within a processor's cache; all others wait in no order.
class EstimateQueue {
 public:
  void push(const Estimate& estimate) {
    if (estimate < least_) {
      waiting_.push_back(estimate);
    } else {
      heap_.push_back(estimate);
      std::push_heap(heap_.begin(), heap_.end());
    }
  }

  /// Takes the largest one. \param is_wanted whether an estimate may still be asked for: once it may not, it never may.
  template <class Wanted>
  std::optional<Estimate> pop(const Wanted& is_wanted) {
    for (;;) {
      if (heap_.empty() && !fill(is_wanted)) return std::nullopt;
      std::pop_heap(heap_.begin(), heap_.end());
      const auto largest = heap_.back();
      heap_.pop_back();
      if (is_wanted(largest)) return largest;
    }
  }

 private:
  static constexpr std::size_t fewest = 4096;
  static constexpr std::size_t part = 16;  // of those that wait, at once

  template <class Wanted>
  bool fill(const Wanted& is_wanted) {
    std::erase_if(waiting_, [&](const Estimate& estimate) { return !is_wanted(estimate); });
    if (waiting_.empty()) return false;
    const auto count = std::min(waiting_.size(), std::max(fewest, waiting_.size() / part));
    const auto first = waiting_.end() - static_cast<std::ptrdiff_t>(count);
    std::nth_element(waiting_.begin(), first, waiting_.end());
    least_ = *first;
    heap_.assign(first, waiting_.end());
    waiting_.erase(first, waiting_.end());
    std::make_heap(heap_.begin(), heap_.end());
    return true;
  }

  Estimate least_{std::numeric_limits<std::int64_t>::max(), 0, 0, 0};  ///< that the heap takes
  std::vector<Estimate> heap_;
  std::vector<Estimate> waiting_;
};

/// Greedy on estimates. Groups beyond those of the search are unions that exist only here.
class Prediction {
 public:
  Prediction(const ModelGroups& groups, std::span<const std::uint32_t> alive, std::uint32_t most_loci,
             std::int64_t unit)
      : groups_(groups),
        unit_(unit >> scale),
        most_patterns_(std::int64_t{1} << most_loci),
        nodes_(groups.size()),
        shared_(groups.size(), 0) {
    for (const auto group : alive) nodes_[group].alive = true;
    for (const auto group : alive) {
      auto& node = nodes_[group];
      node.patterns = patterns_of(groups.loci(group).size());
      node.entropy = groups.entropy(group) >> scale;
      take_known_links(group, node);
    }
    // A pair that each has among its links is noted once.
    for (const auto group : alive)
      for (const auto& link : nodes_[group].links)
        if (group < link.node || link.gain < nodes_[link.node].least_gain) note(group, link.node, link.information);
  }

  std::vector<Union> merges(const Candidate& next, std::size_t most, std::vector<std::uint32_t>& kept) {
    std::vector<Union> made;
    const auto penalty = unit_ * nodes_[next.first].patterns * nodes_[next.second].patterns;
    merge(next.first, next.second, (next.gain >> scale) + penalty, made, kept);
    const auto is_wanted = [this](const Estimate& each) { return nodes_[each.one].alive && nodes_[each.other].alive; };
    while (made.size() < most) {
      const auto best = queue_.pop(is_wanted);
      if (!best) break;
      merge(best->one, best->other, best->information, made, kept);
    }
    return made;
  }

 private:
  // Room for sums of many estimates, which are whole numbers so that their order does not matter.
  static constexpr int scale = 10;

  struct Link {
    std::uint32_t node;
    std::int64_t information;  // N times the mutual information, in scaled units
    std::int64_t gain = 0;     // if it is known
  };
  struct Node {
    bool alive = false;
    std::int64_t patterns = 0;  // 2^loci - 1
    std::int64_t entropy = 0;
    std::int64_t least_gain = 0;  // of known links that are taken
    std::uint32_t number = 0;     // that the union will have; of nodes of the search their own
    std::vector<Link> links;
  };
  static std::int64_t patterns_of(std::size_t loci) { return (std::int64_t{1} << loci) - 1; }

  // Links much weaker than a group's best are left out: most are chance, and they would be most of the work.
  void take_known_links(std::uint32_t group, Node& node) {
    constexpr std::int64_t weakest = 32;
    node.number = group;
    std::int64_t best = 0;
    for (const auto& neighbour : groups_.neighbours(group))
      if (nodes_[neighbour.group].alive) best = std::max(best, neighbour.gain);
    node.least_gain = best / weakest;
    for (const auto& neighbour : groups_.neighbours(group)) {
      if (!nodes_[neighbour.group].alive || neighbour.gain < node.least_gain) continue;
      const auto penalty = unit_ * node.patterns * patterns_of(groups_.loci(neighbour.group).size());
      node.links.push_back({neighbour.group, (neighbour.gain >> scale) + penalty, neighbour.gain});
    }
  }

  // Adds an estimate that gains.
  void note(std::uint32_t one, std::uint32_t other, std::int64_t information) {
    const auto a = nodes_[one].patterns;
    const auto b = nodes_[other].patterns;
    if ((a + 1) * (b + 1) > most_patterns_) return;
    const auto gain = information - unit_ * a * b;
    if (gain > 0) queue_.push({gain, information, one, other});
  }

  void merge(std::uint32_t one, std::uint32_t other, std::int64_t information, std::vector<Union>& made,
             std::vector<std::uint32_t>& kept) {
    const auto known = one < groups_.size() && other < groups_.size() ? groups_.find(one, other) : 0;
    const auto node = known != 0 ? known : static_cast<std::uint32_t>(nodes_.size());
    if (known == 0) {
      nodes_.emplace_back();
      shared_.push_back(0);
      nodes_[node].number = groups_.size() + static_cast<std::uint32_t>(made.size());
      made.push_back({nodes_[one].number, nodes_[other].number});
    } else {
      kept.push_back(known);
    }
    nodes_[one].alive = nodes_[other].alive = false;
    nodes_[node].alive = true;
    nodes_[node].patterns = (nodes_[one].patterns + 1) * (nodes_[other].patterns + 1) - 1;
    nodes_[node].entropy = nodes_[one].entropy + nodes_[other].entropy - information;
    if (known != 0) take_known_links(known, nodes_[known]);
    add_estimates(one, other, node, information);
    for (const auto& link : nodes_[node].links) {
      if (link.node != node) nodes_[link.node].links.push_back({node, link.information, 0});
      note(node, link.node, link.information);
    }
  }

  // The estimated information of a union and another group: that of one part, plus the share of the other part's that
  // both parts do not have in common. If the union itself is known, only pairs with unknown unions are estimated.
  void add_estimates(std::uint32_t one, std::uint32_t other, std::uint32_t node, std::int64_t information) {
    constexpr std::int64_t whole = 256;
    const auto smaller = std::max(std::min(nodes_[one].entropy, nodes_[other].entropy) / whole, std::int64_t{1});
    const auto own = whole - std::clamp(information / smaller, std::int64_t{0}, whole);
    const bool known = node < groups_.size();
    touched_.clear();
    for (const auto part : {one, other})
      for (const auto& link : nodes_[part].links) {
        if (!nodes_[link.node].alive || link.node == node || (known && link.node < groups_.size())) continue;
        auto& sum = shared_[link.node];
        if (sum == 0) touched_.push_back(link.node);
        sum = std::max(sum, link.information) + std::min(sum, link.information) / whole * own;
      }
    for (const auto group : touched_) {
      nodes_[node].links.push_back({group, std::min({shared_[group], nodes_[group].entropy, nodes_[node].entropy}), 0});
      shared_[group] = 0;
    }
  }

  const ModelGroups& groups_;
  std::int64_t unit_;
  std::int64_t most_patterns_;
  std::vector<Node> nodes_;
  std::vector<std::int64_t> shared_;
  std::vector<std::uint32_t> touched_;
  EstimateQueue queue_;
};

}  // namespace

std::vector<Union> guess_merges(const ModelGroups& groups, std::span<const std::uint32_t> alive, const Candidate& next,
                                std::size_t most, std::uint32_t most_loci, std::int64_t unit,
                                std::vector<std::uint32_t>& kept) {
  return Prediction(groups, alive, most_loci, unit).merges(next, most, kept);
}

}  // namespace clopt::ecga
