#include "link_prices.hpp"

#include <shared/elementary/double.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace clopt::exchange {
namespace {

/// How much the prices favour the links that are loaded most: measured on random networks of 128 and 512 nodes.
constexpr double sharpness = 40;
/// Rounds of the first update, in which the prices find their places.
constexpr std::uint32_t first_rounds = 200;

}  // namespace

LinkPrices::LinkPrices(const Problem& problem, const Network& network)
    : network_(&network), router_(problem, network), links_(network.links().size(), 1) {
  const auto nodes = network.nodes();
  transfers_.assign(std::size_t{nodes} * nodes, 0);
  for (const auto from : router_.senders()) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t node = 0; node < nodes; ++node)
      if (node != from && network.distance(from, node) != Network::unreachable) order.push_back(node);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return network.distance(from, a) < network.distance(from, b);
    });
    nearest_first_.push_back(std::move(order));
  }
}

// Multiplicative weights, as ascend() has them, that go on from the routing before.
void LinkPrices::update(std::uint64_t hops, std::uint32_t rounds) {
  if (loads_.empty()) {
    loads_ = router_.route({}, Split::evenly).loads;
    rounds = first_rounds;
  } else {
    // Transfers that were placed leave the routing as if they had taken their part of every link.
    const double sum = std::accumulate(loads_.begin(), loads_.end(), 0.0);
    for (auto& load : loads_) load *= static_cast<double>(hops) / sum;
  }
  std::vector<double> weights(loads_.size());
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const double largest = *std::max_element(loads_.begin(), loads_.end());
    const double sharp = updates_ == 0 ? 4 * std::sqrt(round + 1.0) : sharpness;
    for (std::size_t link = 0; link < loads_.size(); ++link)
      weights[link] = shared::clopt_exp_double(sharp * (loads_[link] / largest - 1));
    const auto answer = router_.route(weights, Split::evenly);
    const double step = updates_ == 0 ? 2 / (round + 3.0) : 2 / (round + 20.0);
    for (std::size_t link = 0; link < loads_.size(); ++link) loads_[link] += step * (answer.loads[link] - loads_[link]);
  }
  ++updates_;
  largest_load_ = *std::max_element(loads_.begin(), loads_.end());
  price_links();
  price_transfers();
}

void LinkPrices::price_links() {
  for (std::size_t link = 0; link < loads_.size(); ++link)
    links_[link] = 1 + static_cast<std::int32_t>(
                           (most - 1) * shared::clopt_exp_double(sharpness * (loads_[link] / largest_load_ - 1)));
}

void LinkPrices::price_transfers() {
  const auto nodes = network_->nodes();
  for (std::size_t sender = 0; sender < nearest_first_.size(); ++sender) {
    const auto from = router_.senders()[sender];
    auto* const prices = transfers_.data() + std::size_t{from} * nodes;
    for (const auto node : nearest_first_[sender]) {
      prices[node] = std::numeric_limits<std::int32_t>::max();
      for (const auto link : network_->in_links(node)) {
        const auto before = network_->links()[link].from;
        if (network_->distance(from, before) + 1 == network_->distance(from, node))
          prices[node] = std::min(prices[node], prices[before] + links_[link]);
      }
    }
  }
}

}  // namespace clopt::exchange
