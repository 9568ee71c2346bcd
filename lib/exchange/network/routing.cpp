#include "routing.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <support/thread_team.hpp>

namespace clopt::exchange {
namespace {

// Senders times links from which on threads gain more than they take to start.
constexpr std::size_t worth_threads = 200'000;

}  // namespace

double Routing::largest_load() const { return loads.empty() ? 0 : *std::max_element(loads.begin(), loads.end()); }

Router::Router(const Problem& problem, const Network& network) : network_(&network) {
  const auto nodes = network.nodes();
  for (const auto& transfer : problem.transfers) {
    if (senders_.empty() || senders_.back() != transfer.from) {
      senders_.push_back(transfer.from);
      demands_.resize(demands_.size() + nodes);
    }
    demands_[(senders_.size() - 1) * nodes + transfer.to] += 1;
  }
  first_hop_.push_back(0);
  for (std::size_t sender = 0; sender < senders_.size(); ++sender) add_tree(sender);
}

void Router::leave_out(const Transfer& transfer) {
  const auto sender = std::lower_bound(senders_.begin(), senders_.end(), transfer.from) - senders_.begin();
  demands_[static_cast<std::size_t>(sender) * network_->nodes() + transfer.to] = 0;
}

void Router::add_tree(std::size_t sender) {
  const auto& network = *network_;
  std::vector<std::vector<std::uint32_t>> layers(network.diameter() + 1U);
  for (std::uint32_t node = 0; node < network.nodes(); ++node)
    if (const auto far = network.distance(senders_[sender], node); far > 0 && far != Network::unreachable)
      layers[far].push_back(node);
  for (const auto& layer : layers)
    for (const auto node : layer) {
      for (const auto link : network.in_links(node)) {
        const auto before = network.links()[link].from;
        if (network.distance(senders_[sender], before) < network.distance(senders_[sender], node))
          hops_.push_back({link, before});
      }
      order_.push_back(node);
      first_hop_.push_back(hops_.size());
    }
  tree_end_.push_back(order_.size());
}

Routing Router::route(std::span<const double> weights, Split split) const {
  // Always as many parts, however many threads there are, so that sums are rounded the same way everywhere.
  std::array<Routing, 16> parts;
  const auto route_part = [&](std::size_t part) {
    parts[part].loads.assign(network_->links().size(), 0);
    for (auto sender = part; sender < senders_.size(); sender += parts.size())
      route_from(sender, weights, split, parts[part]);
  };
  const bool is_large = senders_.size() * network_->links().size() >= worth_threads;
  ThreadTeam(is_large ? 0 : 1).run(parts.size(), route_part);
  auto& routing = parts[0];
  for (std::size_t part = 1; part < parts.size(); ++part) {
    routing.cost += parts[part].cost;
    for (std::size_t link = 0; link < routing.loads.size(); ++link) routing.loads[link] += parts[part].loads[link];
  }
  return std::move(routing);
}

void Router::route_from(std::size_t sender, std::span<const double> weights, Split split, Routing& routing) const {
  // Weights whose sums differ by so little are equal: the split then keeps a network's symmetry.
  constexpr double tolerance = 1e-9;
  const auto nodes = network_->nodes();
  const auto begin = sender > 0 ? tree_end_[sender - 1] : 0;
  const auto end = tree_end_[sender];
  const auto hops_to = [&](std::size_t at) {
    return std::span(hops_).subspan(first_hop_[at], first_hop_[at + 1] - first_hop_[at]);
  };
  std::vector<double> costs(nodes, std::numeric_limits<double>::infinity());
  costs[senders_[sender]] = 0;
  const auto cost_by = [&](const Hop& hop) { return costs[hop.before] + (weights.empty() ? 0 : weights[hop.link]); };
  for (auto at = begin; at < end; ++at) {
    const auto node = order_[at];
    for (const auto& hop : hops_to(at)) costs[node] = std::min(costs[node], cost_by(hop));
    routing.cost += costs[node] * demand(sender, node);
  }
  std::vector<double> amounts(demands_.begin() + static_cast<std::ptrdiff_t>(sender * nodes),
                              demands_.begin() + static_cast<std::ptrdiff_t>((sender + 1) * nodes));
  std::vector<Hop> chosen;
  for (auto at = end; at-- > begin;) {
    const auto node = order_[at];
    if (amounts[node] == 0) continue;
    chosen.clear();
    for (const auto& hop : hops_to(at))
      if (cost_by(hop) <= costs[node] * (1 + tolerance)) chosen.push_back(hop);
    if (split == Split::first) chosen.resize(1);
    if (split == Split::last) chosen.assign(1, Hop(chosen.back()));
    const double share = amounts[node] / static_cast<double>(chosen.size());
    for (const auto& hop : chosen) {
      routing.loads[hop.link] += share;
      amounts[hop.before] += share;
    }
  }
}

}  // namespace clopt::exchange
