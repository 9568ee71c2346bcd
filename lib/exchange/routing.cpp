#include "routing.hpp"

#include <algorithm>
#include <limits>

namespace clopt::exchange {

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
  orders_.resize(senders_.size() * nodes);
  for (std::size_t sender = 0; sender < senders_.size(); ++sender) {
    std::vector<std::uint32_t> starts(network.diameter() + 2U);
    const auto distance = [&](std::uint32_t to) { return network.distance(senders_[sender], to); };
    for (std::uint32_t node = 0; node < nodes; ++node)
      if (distance(node) != Network::unreachable) ++starts[distance(node) + 1U];
    for (std::size_t far = 1; far < starts.size(); ++far) starts[far] += starts[far - 1];
    reached_.push_back(starts.back());
    for (std::uint32_t node = 0; node < nodes; ++node)
      if (distance(node) != Network::unreachable) orders_[sender * nodes + starts[distance(node)]++] = node;
  }
}

Routing Router::route(std::span<const double> weights, Split split) const {
  Routing routing;
  routing.loads.assign(network_->links().size(), 0);
  for (std::size_t sender = 0; sender < senders_.size(); ++sender) route_from(sender, weights, split, routing);
  return routing;
}

void Router::route_from(std::size_t sender, std::span<const double> weights, Split split, Routing& routing) const {
  // Weights whose sums differ by so little are equal: the split then keeps a network's symmetry.
  constexpr double tolerance = 1e-9;
  const auto nodes = network_->nodes();
  const auto from = senders_[sender];
  const std::span<const std::uint32_t> order(orders_.data() + sender * nodes, reached_[sender]);
  std::vector<double> costs(nodes, std::numeric_limits<double>::infinity());
  costs[from] = 0;
  const auto is_before = [&](std::uint32_t node, std::uint32_t link) {
    return network_->distance(from, network_->links()[link].from) + 1 == network_->distance(from, node);
  };
  const auto cost_by = [&](std::uint32_t link) {
    return costs[network_->links()[link].from] + (weights.empty() ? 0 : weights[link]);
  };
  for (const auto node : order.subspan(1)) {
    for (const auto link : network_->in_links(node))
      if (is_before(node, link)) costs[node] = std::min(costs[node], cost_by(link));
    routing.cost += costs[node] * demand(sender, node);
  }
  std::vector<double> amounts(demands_.begin() + static_cast<std::ptrdiff_t>(sender * nodes),
                              demands_.begin() + static_cast<std::ptrdiff_t>((sender + 1) * nodes));
  std::vector<std::uint32_t> chosen;
  for (std::size_t at = order.size(); at-- > 1;) {
    const auto node = order[at];
    if (amounts[node] == 0) continue;
    chosen.clear();
    for (const auto link : network_->in_links(node))
      if (is_before(node, link) && cost_by(link) <= costs[node] * (1 + tolerance)) chosen.push_back(link);
    if (split == Split::first) chosen.resize(1);
    if (split == Split::last) chosen.assign(1, chosen.back());
    const double share = amounts[node] / static_cast<double>(chosen.size());
    for (const auto link : chosen) {
      routing.loads[link] += share;
      amounts[network_->links()[link].from] += share;
    }
  }
}

}  // namespace clopt::exchange
