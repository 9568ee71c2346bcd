#include "rank_hops.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace clopt::exchange {

RankHops::RankHops(const Problem& problem, const Schedule& schedule) : rank_of(problem.topology.nodes, none) {
  for (std::uint32_t node = 0; node < problem.topology.nodes; ++node)
    if (problem.topology.roles[node] != Role::router) rank_of[node] = ranks++;
  const auto& all = problem.transfers;
  for (std::size_t i = 0; i < all.size(); ++i) {
    copies.push_back(i > 0 && all[i] == all[i - 1] ? copies.back() + 1 : 0);
    width = std::max(width, copies.back() + 1);
  }
  is_complete_exchange = all.size() == std::size_t{ranks} * (ranks - 1) && !has_demands(problem.pattern);
  for (std::size_t i = 0; i < schedule.placements.size(); ++i) {
    const auto& placement = schedule.placements[i];
    std::uint32_t before = rank_of[placement.path.front()];
    std::size_t number = 0;
    for (std::size_t at = 1; at < placement.path.size(); ++at) {
      const auto rank = rank_of[placement.path[at]];
      if (rank == none) continue;
      hops.push_back({placement.slot, i, number++, before, rank, at + 1 == placement.path.size()});
      before = rank;
    }
  }
  std::sort(hops.begin(), hops.end(), [](const Hop& a, const Hop& b) {
    return std::tie(a.slot, a.transfer, a.number) < std::tie(b.slot, b.transfer, b.number);
  });
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> in_slot;
  for (auto& hop : hops) {
    hop.channel = in_slot[{hop.slot, hop.from, hop.to}]++;
    channels = std::max(channels, hop.channel + 1);
  }
}

}  // namespace clopt::exchange
