#include "link_prices.hpp"

#include <shared/elementary/double.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace clopt::exchange {
namespace {

/// How much the prices favour the links that are loaded most: measured on random networks of 128 and 512 nodes.
constexpr double sharpness = 40;
/// Rounds of an update, and of the first one, in which the prices converge. Rounds are quick up to this many senders
/// times links.
struct Rounds {
  std::uint32_t first;
  std::uint32_t later;
};
constexpr std::size_t quick = 100'000;
constexpr Rounds rounds_if_quick{1000, 16};
constexpr Rounds rounds_else{200, 4};
/// What a later round weighs is 2 / (number + this): the loads are a mean of some tens of rounds before.
constexpr double inertia = 50;

}  // namespace

LinkPrices::LinkPrices(const Problem& problem, const Network& network)
    : network_(&network), router_(problem, network), links_(network.links().size(), 1) {
  const auto nodes = network.nodes();
  transfers_.assign(std::size_t{nodes} * nodes, 0);
  auto nearest_first = std::make_shared<std::vector<std::vector<std::uint32_t>>>();
  for (const auto from : router_.senders()) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t node = 0; node < nodes; ++node)
      if (node != from && network.distance(from, node) != Network::unreachable) order.push_back(node);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return network.distance(from, a) < network.distance(from, b);
    });
    nearest_first->push_back(std::move(order));
  }
  nearest_first_ = std::move(nearest_first);
}

// Multiplicative weights, as ascend() has them, that continue from the routing before.
void LinkPrices::update(std::uint64_t hops) {
  const bool is_quick = router_.senders().size() * network_->links().size() <= quick;
  const auto [first_rounds, later_rounds] = is_quick ? rounds_if_quick : rounds_else;
  const auto rounds = updates_ == 0 ? first_rounds : later_rounds;
  if (updates_ == 0) {
    loads_ = router_.route({}, Split::evenly).loads;
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
    const double step = updates_ == 0 ? 2 / (round + 3.0) : 2 / (round + inertia);
    for (std::size_t link = 0; link < loads_.size(); ++link) loads_[link] += step * (answer.loads[link] - loads_[link]);
  }
  ++updates_;
  price_all();
}

void LinkPrices::set_loads(std::vector<double> loads, std::uint32_t updates) {
  loads_ = std::move(loads);
  updates_ = updates;
  price_all();
}

void LinkPrices::price_all() {
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
  for (std::size_t sender = 0; sender < nearest_first_->size(); ++sender) {
    const auto from = router_.senders()[sender];
    auto* const prices = transfers_.data() + std::size_t{from} * nodes;
    for (const auto node : (*nearest_first_)[sender]) {
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
