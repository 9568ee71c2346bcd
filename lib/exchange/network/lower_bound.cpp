/// \file
/// Lower bounds with certificates: quick weights first, then a dual ascent, and a linear programme where that leaves a
/// gap and it is not too large. Every bound is what bound_of() says of its integer weights.
#include "lower_bound.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "linear_programme.hpp"

namespace clopt::exchange {
namespace {

// Loads are sums of shares; a bound is not one more for their rounding errors.
constexpr double rounding = 1e-6;
// Of a linear programme's variables: measured, to predict whether it ends in time, since CLP checks its limit rarely.
constexpr double seconds_a_square = 1e-8;

// The links whose load is the largest: by complementary slackness only these weigh where the routing is optimal.
std::vector<std::uint64_t> largest_links(const std::vector<double>& loads) {
  const double limit = *std::max_element(loads.begin(), loads.end()) * (1 - 1e-9);
  std::vector<std::uint64_t> weights;
  weights.reserve(loads.size());
  for (const auto load : loads) weights.push_back(load >= limit ? 1 : 0);
  return weights;
}

/// Calls `change` with each link's parallel channels: their values, from the first to behind the last.
template <class Value, class Change>
void for_each_link(const std::vector<Link>& links, std::vector<Value>& values, Change change) {
  for (std::size_t first = 0; first < links.size();) {
    auto end = first + 1;
    while (end < links.size() && links[end] == links[first]) ++end;
    if (end > first + 1) change(std::span(values).subspan(first, end - first));
    first = end;
  }
}

}  // namespace

BoundSearch::BoundSearch(const Problem& problem, const Network& network)
    : problem_(&problem), network_(&network), router_(problem, network) {}

void BoundSearch::offer(std::vector<std::uint64_t> weights, std::string_view source) {
  // A path takes the lightest of parallel channels, so that more for the others would only add to the sum.
  for_each_link(problem_->topology.links, weights, [](std::span<std::uint64_t> channels) {
    std::fill(channels.begin(), channels.end(), *std::min_element(channels.begin(), channels.end()));
  });
  if (std::all_of(weights.begin(), weights.end(), [](auto weight) { return weight == 0; })) return;
  const auto steps = bound_of(*problem_, weights, *network_);
  if (steps <= bound_.steps) return;
  bound_.steps = steps;
  bound_.weights = std::move(weights);
  bound_.source = source;
}

void BoundSearch::offer_real(const std::vector<double>& weights, double load, std::string_view source) {
  const double largest = *std::max_element(weights.begin(), weights.end());
  if (largest <= 0) return;
  const auto wanted = static_cast<std::uint64_t>(std::ceil(load - rounding));
  if (wanted <= bound_.steps) return;
  // Small integers are easier to read; the largest scale leaves room for sums of 2^63.
  for (const double scale : {1.0, 2.0, 6.0, 12.0, 60.0, 840.0, 27720.0, 1048576.0}) {
    std::vector<std::uint64_t> rounded;
    rounded.reserve(weights.size());
    for (const auto weight : weights)
      rounded.push_back(static_cast<std::uint64_t>(std::llround(weight / largest * scale)));
    offer(std::move(rounded), source);
    if (bound_.steps >= wanted) return;
  }
}

void BoundSearch::know_load(double load) {
  if (bound_.routing_load == 0 || load < bound_.routing_load) bound_.routing_load = load;
}

void BoundSearch::try_quick_weights() {
  offer(std::vector<std::uint64_t>(problem_->topology.links.size(), 1), "quick weights");
  const auto evenly = router_.route({}, Split::evenly);
  auto both = router_.route({}, Split::first);
  const auto last = router_.route({}, Split::last);
  for (std::size_t link = 0; link < both.loads.size(); ++link)
    both.loads[link] = (both.loads[link] + last.loads[link]) / 2;
  for_each_link(problem_->topology.links, both.loads, [](std::span<double> channels) {
    const double sum = std::accumulate(channels.begin(), channels.end(), 0.0);
    std::fill(channels.begin(), channels.end(), sum / static_cast<double>(channels.size()));
  });
  for (const auto& routing : {evenly, both}) {
    know_load(routing.largest_load());
    offer(largest_links(routing.loads), "quick weights");
  }
}

Bound BoundSearch::run(const Watch& watch, const BoundEffort& effort) {
  try_quick_weights();
  if (bound_.exact() || watch.expired()) return bound_;
  const auto variables = variables_of(router_);
  const double seconds = seconds_a_square * static_cast<double>(variables) * static_cast<double>(variables);
  const bool has_programme =
      has_linear_programme() && variables <= effort.largest_programme && seconds <= effort.programme_seconds;
  ascend(*this, watch, has_programme ? effort.short_ascent : effort.long_ascent);
  if (bound_.exact() || watch.expired() || !has_programme) return bound_;
  watch.report("linear programme", 0);
  if (const auto optimum = least_largest_load(router_, effort.programme_seconds)) {
    know_load(optimum->load);
    offer_real(optimum->weights, optimum->load, "linear programme");
  }
  return bound_;
}

Bound find_bound(const Problem& problem, const RunControl& control) {
  const Watch watch(control);
  const Network network(problem.topology);
  return BoundSearch(problem, network).run(watch, {});
}

}  // namespace clopt::exchange
