#include "schedule.hpp"

#include <clopt/error.hpp>

#include <algorithm>

namespace clopt::exchange {

std::size_t free_place(std::span<const Transfer> transfers, const Transfer& transfer, const Schedule& schedule) {
  const auto [first, end] = std::equal_range(transfers.begin(), transfers.end(), transfer);
  const auto begin = schedule.placements.begin();
  const auto free = std::partition_point(begin + (first - transfers.begin()), begin + (end - transfers.begin()),
                                         [](const Placement& placement) { return !placement.path.empty(); });
  return static_cast<std::size_t>(free - begin);
}

std::uint64_t checksum_of(const Schedule& schedule) {
  std::vector<std::uint32_t> words{schedule.steps};
  for (const auto& placement : schedule.placements) {
    words.push_back(placement.slot);
    words.insert(words.end(), placement.path.begin(), placement.path.end());
  }
  return hash_of(words);
}

std::uint64_t checksum_of(const ClaimedSchedule& schedule) {
  std::vector<std::int64_t> words{schedule.nodes, schedule.steps};
  for (const auto& transfer : schedule.transfers) {
    words.insert(words.end(), {transfer.from, transfer.to, transfer.slot});
    words.insert(words.end(), transfer.path.begin(), transfer.path.end());
  }
  return hash_of(words);
}

std::uint64_t checksum_of(const Bound& bound) { return hash_of(bound.weights); }

std::uint64_t count_conflicts(const Problem& problem, const Schedule& schedule) {
  // One slot after the other: the uses of a slot are few enough to be sorted in a cache.
  std::vector<std::uint64_t> order;
  order.reserve(schedule.placements.size());
  for (const auto& placement : schedule.placements) order.push_back(std::uint64_t{placement.slot} << 32 | order.size());
  std::sort(order.begin(), order.end());
  const auto& links = problem.topology.links;
  const bool has_parallel_channels = std::adjacent_find(links.begin(), links.end()) != links.end();
  const auto channels_of = [&](const Link& link) -> std::size_t {
    if (!has_parallel_channels) return 1;
    const auto [first, end] = std::equal_range(links.begin(), links.end(), link);
    return std::max<std::size_t>(static_cast<std::size_t>(end - first), 1);
  };
  std::uint64_t conflicts = 0;
  std::vector<std::uint64_t> uses;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& path = schedule.placements[static_cast<std::uint32_t>(order[i])].path;
    for (std::size_t hop = 0; hop + 1 < path.size(); ++hop)
      uses.push_back(std::uint64_t{path[hop]} << 32 | path[hop + 1]);
    if (i + 1 < order.size() && order[i + 1] >> 32 == order[i] >> 32) continue;
    std::sort(uses.begin(), uses.end());
    for (std::size_t begin = 0, end = 0; begin < uses.size(); begin = end) {
      while (end < uses.size() && uses[end] == uses[begin]) ++end;
      if (end == begin + 1) continue;
      const auto channels =
          channels_of({static_cast<std::uint32_t>(uses[begin] >> 32), static_cast<std::uint32_t>(uses[begin])});
      // The next one meets those that have the same channel already.
      for (std::size_t run = 0; run < end - begin; ++run) conflicts += run / channels;
    }
    uses.clear();
  }
  return conflicts;
}

ClaimedSchedule claim(const Problem& problem, const Schedule& schedule) {
  ClaimedSchedule claimed;
  claimed.nodes = problem.topology.nodes;
  claimed.steps = schedule.steps;
  claimed.topology = problem.topology.name;
  claimed.pattern = problem.pattern;
  if (has_demands(problem.pattern)) claimed.demands = demands_of(problem);
  claimed.transfers.reserve(schedule.placements.size());
  for (std::size_t i = 0; i < schedule.placements.size(); ++i) {
    const auto& transfer = problem.transfers.at(i);
    const auto& placement = schedule.placements[i];
    claimed.transfers.push_back(
        {transfer.from, transfer.to, placement.slot, {placement.path.begin(), placement.path.end()}});
  }
  return claimed;
}

}  // namespace clopt::exchange
