#include "routing.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <support/threads/kept_team.hpp>

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
  auto trees = std::make_shared<Trees>();
  trees->first_hop.push_back(0);
  for (std::size_t sender = 0; sender < senders_.size(); ++sender) add_tree(sender, *trees);
  trees_ = std::move(trees);
  if (is_worth_threads()) team_ = kept_team();
}

bool Router::is_worth_threads() const { return senders_.size() * network_->links().size() >= worth_threads; }

void Router::leave_out(const Transfer& transfer) {
  const auto sender = std::lower_bound(senders_.begin(), senders_.end(), transfer.from) - senders_.begin();
  demands_[static_cast<std::size_t>(sender) * network_->nodes() + transfer.to] -= 1;
}

void Router::add_tree(std::size_t sender, Trees& trees) const {
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
          trees.hops.push_back({link, before});
      }
      trees.order.push_back(node);
      trees.first_hop.push_back(trees.hops.size());
    }
  trees.end.push_back(trees.order.size());
}

Routing Router::route(std::span<const double> weights, Split split) const {
  // Always as many parts, however many threads there are, so that sums are rounded the same way everywhere.
  std::array<Routing, 16> parts;
  const std::vector<double> alike(weights.empty() ? network_->links().size() : 0);
  if (weights.empty()) weights = alike;
  const auto route_part = [&](std::size_t part) {
    parts[part].loads.assign(network_->links().size(), 0);
    Scratch scratch{std::vector<double>(network_->nodes()), std::vector<double>(network_->nodes())};
    for (auto sender = part; sender < senders_.size(); sender += parts.size())
      route_from(sender, weights, split, scratch, parts[part]);
  };
  if (team_ && !ThreadTeam::is_in_part())
    team_->run(parts.size(), route_part);
  else
    for (std::size_t part = 0; part < parts.size(); ++part) route_part(part);
  auto& routing = parts[0];
  for (std::size_t part = 1; part < parts.size(); ++part) {
    routing.cost += parts[part].cost;
    for (std::size_t link = 0; link < routing.loads.size(); ++link) routing.loads[link] += parts[part].loads[link];
  }
  return std::move(routing);
}

void Router::route_from(std::size_t sender, std::span<const double> weights, Split split, Scratch& scratch,
                        Routing& routing) const {
  // Weights whose sums differ by so little are equal: the split then keeps a network's symmetry.
  constexpr double tolerance = 1e-9;
  const auto nodes = network_->nodes();
  const auto begin = sender > 0 ? trees_->end[sender - 1] : 0;
  const auto end = trees_->end[sender];
  const auto* const order = trees_->order.data();
  const auto* const first_hop = trees_->first_hop.data();
  const auto* const hops = trees_->hops.data();
  const auto* const weight = weights.data();
  auto* const costs = scratch.costs.data();
  auto* const amounts = scratch.amounts.data();
  auto* const loads = routing.loads.data();
  const auto* const demands = demands_.data() + sender * nodes;
  costs[senders_[sender]] = 0;
  for (auto at = begin; at < end; ++at) {
    double least = std::numeric_limits<double>::infinity();
    for (auto hop = first_hop[at]; hop < first_hop[at + 1]; ++hop)
      least = std::min(least, costs[hops[hop].before] + weight[hops[hop].link]);
    costs[order[at]] = least;
    routing.cost += least * demands[order[at]];
  }
  std::copy_n(demands, nodes, amounts);
  for (auto at = end; at-- > begin;) {
    const auto node = order[at];
    const auto amount = amounts[node];
    if (amount == 0) continue;
    const auto most = costs[node] * (1 + tolerance);
    const auto is_lightest = [&](std::size_t hop) { return costs[hops[hop].before] + weight[hops[hop].link] <= most; };
    auto first = first_hop[at];
    auto last = first_hop[at + 1];
    if (last - first > 1) {
      while (!is_lightest(first)) ++first;
      while (!is_lightest(last - 1)) --last;
      if (split == Split::first) last = first + 1;
      if (split == Split::last) first = last - 1;
    }
    const auto give = [&](std::size_t hop, double share) {
      loads[hops[hop].link] += share;
      amounts[hops[hop].before] += share;
    };
    // Nearly always there is one.
    if (last - first == 1) {
      give(first, amount);
      continue;
    }
    std::size_t lightest = 0;
    for (auto hop = first; hop < last; ++hop) lightest += is_lightest(hop) ? 1 : 0;
    const double share = amount / static_cast<double>(lightest);
    for (auto hop = first; hop < last; ++hop)
      if (is_lightest(hop)) give(hop, share);
  }
}

}  // namespace clopt::exchange
