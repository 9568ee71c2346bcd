/// \file
/// What weights of links prove, by integers alone.
#include <clopt/error.hpp>
#include <clopt/exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include <exchange/network/lower_bound.hpp>

namespace clopt::exchange {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();

std::uint64_t add(std::uint64_t a, std::uint64_t b) {
  if (a > most - b) throw InvalidInput("the certificate's weights are too large: sums pass 2^63-1; scale them down");
  return a + b;
}

// The least weight of a shortest path from one node to each other; 0 where there is no path.
std::vector<std::uint64_t> lightest_paths(const Network& network, std::uint32_t from,
                                          std::span<const std::uint64_t> weights) {
  std::vector<std::uint32_t> order(network.nodes());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return network.distance(from, a) < network.distance(from, b); });
  std::vector<std::uint64_t> lightest(network.nodes(), most);
  lightest[from] = 0;
  for (const auto node : order) {
    if (network.distance(from, node) == Network::unreachable) continue;
    for (auto link = network.first_out(node); link < network.first_out(node + 1); ++link) {
      const auto to = network.links()[link].to;
      if (network.distance(from, to) == network.distance(from, node) + 1)
        lightest[to] = std::min(lightest[to], add(lightest[node], weights[link]));
    }
  }
  return lightest;
}

// The sum of weights that can prove something.
std::uint64_t checked_sum(const Topology& topology, std::span<const std::uint64_t> weights) {
  if (weights.size() != topology.links.size())
    throw InvalidInput(fmt::format("the certificate has {} weights, and the topology {} links", weights.size(),
                                   topology.links.size()));
  std::uint64_t sum = 0;
  for (const auto weight : weights) sum = add(sum, weight);
  if (sum == 0) throw InvalidInput("the certificate's weights are all 0; one at least must be above");
  return sum;
}

}  // namespace

std::uint64_t bound_of(const Problem& problem, std::span<const std::uint64_t> weights) {
  checked_sum(problem.topology, weights);
  return bound_of(problem, weights, Network(problem.topology));
}

std::uint64_t bound_of(const Problem& problem, std::span<const std::uint64_t> weights, const Network& network) {
  const auto sum = checked_sum(problem.topology, weights);
  std::uint64_t total = 0;
  std::vector<std::uint64_t> lightest;
  for (std::size_t i = 0; i < problem.transfers.size(); ++i) {
    const auto& transfer = problem.transfers[i];
    if (i == 0 || problem.transfers[i - 1].from != transfer.from)
      lightest = lightest_paths(network, transfer.from, weights);
    total = add(total, lightest[transfer.to]);
  }
  return total / sum + (total % sum != 0);
}

}  // namespace clopt::exchange
