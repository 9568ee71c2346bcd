#include "paths.hpp"

#include <limits>
#include <vector>

namespace clopt::exchange {
namespace {

std::uint64_t add_saturated(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

}  // namespace

Paths::Paths(const Network& network) : network_(&network), counts_(network.distances().size()) {
  const auto nodes = network.nodes();
  std::vector<std::vector<std::uint32_t>> at_distance(network.diameter() + 1U);
  for (std::uint32_t from = 0; from < nodes; ++from) {
    for (auto& each : at_distance) each.clear();
    for (std::uint32_t to = 0; to < nodes; ++to)
      if (network.distance(from, to) != Network::unreachable) at_distance[network.distance(from, to)].push_back(to);
    auto* const row = counts_.data() + std::size_t{from} * nodes;
    row[from] = 1;
    for (const auto& layer : at_distance)
      for (const auto node : layer)
        for (auto link = network.first_out(node); link < network.first_out(node + 1); ++link) {
          const auto to = network.links()[link].to;
          if (network.distance(from, to) == network.distance(from, node) + 1)
            row[to] = add_saturated(row[to], row[node]);
        }
  }
}

void Paths::unrank(std::uint32_t from, std::uint32_t to, std::uint64_t rank, std::uint32_t* links) const {
  const auto& network = *network_;
  for (auto node = from; node != to;) {
    for (auto link = network.first_out(node);; ++link) {
      const auto next = network.links()[link].to;
      if (network.distance(node, to) != network.distance(next, to) + 1) continue;
      const auto here = count(next, to);
      if (rank < here) {
        *links++ = link;
        node = next;
        break;
      }
      rank -= here;
    }
  }
}

std::uint64_t Paths::rank(std::uint32_t to, std::span<const std::uint32_t> links) const {
  const auto& network = *network_;
  std::uint64_t rank = 0;
  for (const auto taken : links) {
    const auto node = network.links()[taken].from;
    for (auto link = network.first_out(node); link < taken; ++link) {
      const auto next = network.links()[link].to;
      if (network.distance(node, to) == network.distance(next, to) + 1) rank = add_saturated(rank, count(next, to));
    }
  }
  return rank;
}

std::vector<std::uint32_t> Paths::nodes_of(std::uint32_t from, std::span<const std::uint32_t> links) const {
  std::vector<std::uint32_t> nodes{from};
  for (const auto link : links) nodes.push_back(network_->links()[link].to);
  return nodes;
}

}  // namespace clopt::exchange
