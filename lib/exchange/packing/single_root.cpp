/// \file
/// Schedules of patterns with one sender or one receiver, which are flows.
#include "construct.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

namespace clopt::exchange {
namespace {

/// Maximal flows by Dinic's algorithm.
class Flow {
 public:
  explicit Flow(std::uint32_t nodes) : out_(nodes) {}

  /// \returns the arc's number.
  std::size_t add(std::uint32_t from, std::uint32_t to, std::uint32_t capacity) {
    out_[from].push_back(arcs_.size());
    arcs_.push_back({to, capacity});
    out_[to].push_back(arcs_.size());
    arcs_.push_back({from, 0});
    return arcs_.size() - 2;
  }
  std::uint32_t flow(std::size_t arc) const { return arcs_[arc ^ 1].capacity; }

  std::uint64_t maximise(std::uint32_t from, std::uint32_t to) {
    std::uint64_t total = 0;
    while (find_layers(from, to)) {
      next_.assign(out_.size(), 0);
      while (const auto more = push(from, to, std::numeric_limits<std::uint32_t>::max())) total += more;
    }
    return total;
  }

 private:
  struct Arc {
    std::uint32_t to;
    std::uint32_t capacity;  ///< what is left of it; the opposite arc's grows as much
  };

  bool find_layers(std::uint32_t from, std::uint32_t to) {
    layer_.assign(out_.size(), -1);
    layer_[from] = 0;
    std::vector<std::uint32_t> queue{from};
    for (std::size_t head = 0; head < queue.size(); ++head)
      for (const auto arc : out_[queue[head]])
        if (arcs_[arc].capacity > 0 && layer_[arcs_[arc].to] < 0) {
          layer_[arcs_[arc].to] = layer_[queue[head]] + 1;
          queue.push_back(arcs_[arc].to);
        }
    return layer_[to] >= 0;
  }

  std::uint32_t push(std::uint32_t at, std::uint32_t to, std::uint32_t most) {
    if (at == to) return most;
    for (auto& next = next_[at]; next < out_[at].size(); ++next) {
      const auto arc = out_[at][next];
      if (arcs_[arc].capacity == 0 || layer_[arcs_[arc].to] != layer_[at] + 1) continue;
      if (const auto pushed = push(arcs_[arc].to, to, std::min(most, arcs_[arc].capacity))) {
        arcs_[arc].capacity -= pushed;
        arcs_[arc ^ 1].capacity += pushed;
        return pushed;
      }
    }
    return 0;
  }

  std::vector<Arc> arcs_;
  std::vector<std::vector<std::size_t>> out_;
  std::vector<int> layer_;
  std::vector<std::size_t> next_;
};

/// How many of the units that are still to be sent go over each link and end at each node.
struct Units {
  std::vector<std::uint32_t> over;
  std::vector<std::uint32_t> at;
};

class Scatter {
 public:
  Scatter(const Network& network, std::uint32_t root, const std::vector<std::uint32_t>& receivers)
      : network_(network), root_(root), receivers_(receivers), wanted_(network.nodes()), next_place_(network.nodes()) {
    for (std::size_t i = 0; i < receivers.size(); ++i)
      if (wanted_[receivers[i]]++ == 0) next_place_[receivers[i]] = i;
  }

  /// The slot and path of each receiver, and the number of slots; none where the time has expired.
  std::optional<Schedule> schedule(const HasExpired& has_expired) {
    std::uint32_t least = 1;
    auto most = static_cast<std::uint32_t>(receivers_.size());
    while (least < most) {
      const auto middle = least + (most - least) / 2;
      if (route(middle))
        most = middle;
      else
        least = middle + 1;
    }
    auto units = *route(least);
    Schedule schedule{least, std::vector<Placement>(receivers_.size())};
    for (std::uint32_t slot = 0; slot < least; ++slot) {
      if (has_expired && has_expired()) return std::nullopt;
      const auto taken = take_slot(units, least - slot);
      place(taken, slot, schedule);
      for (std::size_t link = 0; link < taken.over.size(); ++link) units.over[link] -= taken.over[link];
      for (std::size_t node = 0; node < taken.at.size(); ++node) units.at[node] -= taken.at[node];
    }
    return schedule;
  }

 private:
  bool is_useful(const Link& link) const {
    return network_.distance(root_, link.from) != Network::unreachable &&
           network_.distance(root_, link.from) + 1 == network_.distance(root_, link.to);
  }

  std::optional<Units> route(std::uint32_t load) const {
    const auto sink = network_.nodes();
    Flow flow(sink + 1);
    std::vector<std::size_t> arcs;
    for (const auto& link : network_.links()) arcs.push_back(flow.add(link.from, link.to, is_useful(link) ? load : 0));
    for (std::uint32_t node = 0; node < network_.nodes(); ++node)
      if (wanted_[node] > 0) flow.add(node, sink, wanted_[node]);
    if (flow.maximise(root_, sink) < receivers_.size()) return std::nullopt;
    Units units{{}, wanted_};
    for (const auto arc : arcs) units.over.push_back(flow.flow(arc));
    return units;
  }

  // Of each link and end its units over the slots that are left, rounded down or up: a circulation with lower limits,
  // found as a flow between two more nodes that carries all of them.
  Units take_slot(const Units& units, std::uint32_t slots) const {
    const auto sink = network_.nodes();
    const auto source = sink + 1;
    const auto drain = sink + 2;
    Flow flow(sink + 3);
    flow.add(sink, root_, std::numeric_limits<std::uint32_t>::max());
    const auto add = [&](std::uint32_t from, std::uint32_t to, std::uint32_t carried) {
      if (const auto least = carried / slots; least > 0) {
        flow.add(from, drain, least);
        flow.add(source, to, least);
      }
      return flow.add(from, to, carried % slots != 0 ? 1 : 0);
    };
    std::vector<std::size_t> arcs;
    for (std::size_t link = 0; link < units.over.size(); ++link)
      arcs.push_back(add(network_.links()[link].from, network_.links()[link].to, units.over[link]));
    std::vector<std::size_t> ends;
    for (std::uint32_t node = 0; node < network_.nodes(); ++node) ends.push_back(add(node, sink, units.at[node]));
    flow.maximise(source, drain);
    Units taken;
    for (std::size_t i = 0; i < arcs.size(); ++i) taken.over.push_back(units.over[i] / slots + flow.flow(arcs[i]));
    for (std::size_t i = 0; i < ends.size(); ++i) taken.at.push_back(units.at[i] / slots + flow.flow(ends[i]));
    return taken;
  }

  // Any walk from the root along the slot's links ends at a receiver, since as much enters each node as leaves it.
  void place(const Units& taken, std::uint32_t slot, Schedule& schedule) {
    auto left = taken;
    for (auto first = network_.first_out(root_); first < network_.first_out(root_ + 1); ++first) {
      if (left.over[first] == 0) continue;
      std::vector<std::uint32_t> path{root_};
      for (auto link = first; link < network_.links().size();) {
        left.over[link] = 0;
        const auto node = network_.links()[link].to;
        path.push_back(node);
        if (left.at[node] > 0) {
          --left.at[node];
          break;
        }
        for (link = network_.first_out(node); left.over[link] == 0;) ++link;
      }
      const auto place = next_place_[path.back()]++;
      schedule.placements[place] = {slot, std::move(path)};
    }
  }

  const Network& network_;
  std::uint32_t root_;
  const std::vector<std::uint32_t>& receivers_;
  std::vector<std::uint32_t> wanted_;    ///< units of each node
  std::vector<std::size_t> next_place_;  ///< of each node, of its transfers that are to be placed
};

Network turned(const Topology& topology) {
  auto other = topology;
  for (auto& link : other.links) std::swap(link.from, link.to);
  std::sort(other.links.begin(), other.links.end());
  return Network(other);
}

}  // namespace

std::optional<Construction> single_root(const Problem& problem, const Network& network, const HasExpired& has_expired) {
  const auto& transfers = problem.transfers;
  const auto all = [&](auto&& test) { return std::all_of(transfers.begin(), transfers.end(), test); };
  std::vector<std::uint32_t> others;
  if (all([&](const Transfer& each) { return each.from == transfers[0].from; })) {
    for (const auto& each : transfers) others.push_back(each.to);
    auto schedule = Scatter(network, transfers[0].from, others).schedule(has_expired);
    if (!schedule) return std::nullopt;
    return Construction{std::move(*schedule), "flows from the only sender"};
  }
  if (!all([&](const Transfer& each) { return each.to == transfers[0].to; })) return std::nullopt;
  for (const auto& each : transfers) others.push_back(each.from);
  const auto reversed = turned(problem.topology);
  auto schedule = Scatter(reversed, transfers[0].to, others).schedule(has_expired);
  if (!schedule) return std::nullopt;
  for (auto& placement : schedule->placements) std::reverse(placement.path.begin(), placement.path.end());
  return Construction{std::move(*schedule), "flows to the only receiver"};
}

}  // namespace clopt::exchange
