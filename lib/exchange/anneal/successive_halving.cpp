#include "successive_halving.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace clopt::exchange {
namespace {

/// Trials in a stage of the first cycle and of the widest, and launches in the first one's first and last stage.
constexpr std::uint32_t first_width = 8;
constexpr std::uint32_t most_width = 64;
constexpr std::uint64_t first_launches = 8;
constexpr std::uint64_t last_launches = 320;
/// Cycles grow no longer after this many doublings.
constexpr std::uint64_t most_doublings = 40;
/// Bytes of all replicas' uses and paths in a stage.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 29;
/// Links on shortest paths, of all orbits of all groups.
constexpr std::uint64_t most_edges = std::uint64_t{1} << 24;

/// The groups in the order in which they compete: large ones first, of each order one before the second of any.
std::vector<SymmetryGroup> order_groups(std::vector<SymmetryGroup> groups) {
  std::map<std::uint32_t, std::size_t> rank;
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (std::size_t i = 0; i < groups.size(); ++i) places.emplace_back(rank[groups[i].order()]++, i);
  std::stable_sort(places.begin(), places.end(), [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : groups[a.second].order() > groups[b.second].order();
  });
  std::vector<SymmetryGroup> ordered;
  ordered.reserve(places.size());
  for (const auto& [unused, i] : places) ordered.push_back(std::move(groups[i]));
  return ordered;
}

}  // namespace

std::vector<HalvingStage> stages_of(std::uint64_t cycle, std::size_t groups, std::uint32_t most_trials) {
  // Each cycle has twice the work of the one before: it is wider and longer in turns.
  const auto doublings = std::min(cycle, most_doublings);
  std::uint64_t longer = 0;
  std::uint32_t width = std::min(first_width, most_trials);
  for (std::uint64_t i = 0; i < doublings; ++i) {
    if (i % 2 == 0 && 2 * width <= most_trials)
      width *= 2;
    else
      ++longer;
  }
  // Groups that seem to be good may have no schedule at all: later cycles keep more of them.
  const std::size_t kept = cycle >= groups ? groups : std::min<std::uint64_t>(groups, 2 + cycle);
  std::vector<HalvingStage> stages;
  for (std::uint64_t launches = first_launches;; launches *= 3) {
    const bool is_last = groups <= kept;
    stages.push_back({groups, std::max(1U, width / static_cast<std::uint32_t>(groups)),
                      (is_last ? last_launches : launches) << longer});
    if (is_last) return stages;
    groups = std::max(kept, (groups + 3) / 4);
  }
}

std::uint64_t mean_energy_of(const std::vector<std::uint32_t>& energies) {
  return (std::accumulate(energies.begin(), energies.end(), std::uint64_t{0}) << 16) / energies.size();
}

void BestPlacing::take(const BestPlacing& other) {
  if (other.has_schedule() && (!has_schedule() || other.conflicts < conflicts)) *this = other;
}

SuccessiveHalving::SuccessiveHalving(const SearchTask& given) : task(given), is_lost(given.devices.size()) {
  auto groups = order_groups(find_groups(task.network, task.problem.transfers, task.steps, task.seed));
  std::uint64_t edges = 0;
  for (auto& group : groups) {
    // A checkpoint holds the state of all groups.
    if (!group_tables.empty() && (group_tables.size() == most_groups || (task.watch.expired() && !task.resume))) break;
    // Tables of few symmetries are large: all of them together stay within a bound.
    if (!group_tables.empty() &&
        edges + group_tables[0].edges.size() * group_tables[0].shape.order / group.order() > most_edges)
      continue;
    auto tables = make_orbit_tables(task.network, task.problem.transfers, std::move(group), task.steps);
    if (!tables) continue;
    edges += tables->edges.size();
    group_tables.push_back(std::move(*tables));
  }
  std::uint64_t bytes = 0;
  for (const auto& tables : group_tables)
    bytes = std::max(bytes, task.options.replicas * (tables.uses_bytes() +
                                                     std::uint64_t{2} * tables.shape.orbits * tables.shape.most_hops));
  while (most_trials < most_width && 2 * most_trials * bytes <= most_bytes) most_trials *= 2;
}

}  // namespace clopt::exchange
