/// \file
/// Bounds by multiplicative weights: often exact, and all there is where the linear programme is too large.
#include "lower_bound.hpp"

#include <algorithm>
#include <cmath>

namespace clopt::exchange {

void ascend(BoundSearch& search, const Watch& watch, std::uint32_t rounds) {
  const auto& router = search.router();
  auto loads = router.route({}, Split::evenly).loads;
  std::vector<double> weights(loads.size());
  std::vector<double> sums(loads.size());
  double best_value = 0;
  std::vector<double> best_weights;
  const auto keep = [&](const std::vector<double>& candidate, double cost) {
    double total = 0;
    for (const auto weight : candidate) total += weight;
    if (cost / total <= best_value) return;
    best_value = cost / total;
    best_weights = candidate;
  };
  for (std::uint32_t round = 0; round < rounds && !watch.expired() && !search.bound().exact(); ++round) {
    watch.report("dual ascent", static_cast<double>(round) / rounds);
    const double largest = *std::max_element(loads.begin(), loads.end());
    search.know_load(largest);
    // The sharper the weights, the nearer they are to the links that matter, and the slower the loads follow.
    const double sharpness = 4 * std::sqrt(round + 1.0);
    for (std::size_t link = 0; link < loads.size(); ++link)
      weights[link] = std::exp(sharpness * (loads[link] / largest - 1));
    const auto answer = router.route(weights, Split::evenly);
    keep(weights, answer.cost);
    const double step = 2.0 / (round + 3.0);
    for (std::size_t link = 0; link < loads.size(); ++link) {
      loads[link] += step * (answer.loads[link] - loads[link]);
      sums[link] += step * (weights[link] - sums[link]);
    }
    if (round % 16 == 15) {
      keep(sums, router.route(sums, Split::evenly).cost);
      search.offer_real(best_weights, best_value, "dual ascent");
    }
  }
  if (!best_weights.empty()) search.offer_real(best_weights, best_value, "dual ascent");
}

}  // namespace clopt::exchange
