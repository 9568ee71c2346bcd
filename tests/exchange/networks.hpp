/// \file
/// Networks for tests, and an oracle of shortest paths that shares no code with the solver.
#pragma once

#include <clopt/exchange.hpp>

#include <algorithm>
#include <functional>
#include <random>
#include <set>
#include <sstream>
#include <vector>

namespace clopt::test {

/// Distances by repeated relaxation (Bellman and Ford); unreachable is a large number.
inline std::vector<std::vector<int>> distances_of(const exchange::Topology& topology) {
  constexpr int far = 1 << 20;
  std::vector<std::vector<int>> distance(topology.nodes, std::vector<int>(topology.nodes, far));
  for (std::size_t node = 0; node < topology.nodes; ++node) distance[node][node] = 0;
  for (bool again = true; again;) {
    again = false;
    for (auto& row : distance)
      for (const auto& link : topology.links)
        if (row[link.from] + 1 < row[link.to]) {
          row[link.to] = row[link.from] + 1;
          again = true;
        }
  }
  return distance;
}

/// Every shortest path, in lexicographic order of its nodes, by walking all of them.
inline std::vector<std::vector<std::uint32_t>> all_shortest_paths(const exchange::Topology& topology,
                                                                  const std::vector<std::vector<int>>& distance,
                                                                  std::uint32_t from, std::uint32_t to) {
  std::vector<std::vector<std::uint32_t>> paths;
  std::vector<std::uint32_t> path{from};
  const std::function<void()> extend = [&] {
    if (path.back() == to) {
      paths.push_back(path);
      return;
    }
    const auto here = path.back();
    for (std::uint32_t next = 0; next < topology.nodes; ++next) {
      const bool joined = std::count(topology.links.begin(), topology.links.end(), exchange::Link{here, next}) > 0;
      if (!joined || distance[next][to] + 1 != distance[here][to]) continue;
      path.push_back(next);
      extend();
      path.pop_back();
    }
  };
  extend();
  return paths;
}

/// A connected network with random one-way and two-way links.
inline exchange::Topology random_network(std::mt19937_64& random, std::uint32_t nodes) {
  std::set<exchange::Link> links;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    links.insert({node, (node + 1) % nodes});
    const auto other = static_cast<std::uint32_t>(random() % nodes);
    if (other != node) links.insert({node, other});
    if (other != node && random() % 2 == 0) links.insert({other, node});
  }
  exchange::Topology topology;
  topology.name = "random";
  topology.nodes = nodes;
  topology.links.assign(links.begin(), links.end());
  topology.roles.assign(nodes, exchange::Role::both);
  return topology;
}

inline exchange::Problem complete_exchange(const std::string& topology) {
  return exchange::make_problem(exchange::make_topology(topology), "all-to-all");
}

inline exchange::Topology topology_of(const std::string& text) {
  std::istringstream stream(text);
  return exchange::read_topology(stream, "net.txt");
}

/// Conflicts as the paper defines them (equations 11 to 14), by sets of links of each pair of transfers.
inline std::uint64_t conflicts_by_definition(const exchange::Schedule& schedule) {
  std::uint64_t conflicts = 0;
  for (std::size_t a = 0; a < schedule.placements.size(); ++a)
    for (std::size_t b = a + 1; b < schedule.placements.size(); ++b) {
      const auto& one = schedule.placements[a];
      const auto& other = schedule.placements[b];
      if (one.slot != other.slot) continue;
      for (std::size_t i = 0; i + 1 < one.path.size(); ++i)
        for (std::size_t k = 0; k + 1 < other.path.size(); ++k)
          conflicts += one.path[i] == other.path[k] && one.path[i + 1] == other.path[k + 1];
    }
  return conflicts;
}

}  // namespace clopt::test
