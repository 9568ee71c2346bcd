/// \file
/// Graphs of shortest paths as cells of two edges.
#include "networks.hpp"

#include <exchange/anneal/orbit_tables.hpp>

#include <fmt/format.h>
#include <boost/test/unit_test.hpp>

#include <random>

namespace {

using namespace clopt;
using namespace clopt::exchange;

OrbitTables tables_of(const Problem& problem, std::uint32_t steps) {
  const Network network(problem.topology);
  return *make_orbit_tables(network, problem.transfers, trivial_group(network.nodes()), steps);
}

OrbitTables tables_of(const std::string& topology, std::uint32_t steps) {
  return tables_of(test::complete_exchange(topology), steps);
}

/// The least cost of an orbit's paths by its edges.
std::uint32_t by_edges(const OrbitTables& tables, const SearchOrbit& orbit, const std::vector<std::uint32_t>& costs) {
  std::vector<std::uint32_t> distance(orbit.nodes, 0);
  for (std::uint32_t node = 1; node < orbit.nodes; ++node) {
    distance[node] = ~0U;
    for (std::uint32_t i = tables.node_first[orbit.first_node + node];
         i < tables.node_first[orbit.first_node + node + 1]; ++i) {
      const auto edge = tables.edges[orbit.first_edge + i];
      distance[node] = std::min(distance[node], distance[edge >> 16] + costs[edge & 0xffffU]);
    }
  }
  return distance.back();
}

/// The same by its cells, whose rounds are checked. costs: with that of no link.
std::uint32_t by_cells(const OrbitTables& tables, const SearchOrbit& orbit, const std::vector<std::uint32_t>& costs,
                       std::uint32_t at_once) {
  std::vector<std::uint32_t> distance(orbit.cells, 0);
  for (std::uint32_t first = 1; first < orbit.cells;) {
    const std::uint32_t end = tables.cells[orbit.first_cell + first].x >> 24;
    BOOST_REQUIRE(first < end);
    BOOST_TEST(end - first <= at_once);
    for (std::uint32_t i = first; i < end; ++i) {
      const auto& cell = tables.cells[orbit.first_cell + i];
      BOOST_TEST((cell.x >> 24) == end);
      BOOST_REQUIRE((cell.x >> 16 & 0xffU) < first);
      BOOST_REQUIRE((cell.y >> 16 & 0xffU) < first);
      distance[i] = std::min(distance[cell.x >> 16 & 0xffU] + costs[cell.x & 0xffffU],
                             distance[cell.y >> 16 & 0xffU] + costs[cell.y & 0xffffU]);
    }
    first = end;
  }
  return distance.back();
}

BOOST_AUTO_TEST_SUITE(cells)

BOOST_AUTO_TEST_CASE(cells_have_the_paths_of_the_edges) {
  std::mt19937 random(7);
  for (const std::string topology :
       {"ring:7", "mesh:4x3", "torus:4x4", "mesh:3x3x2", "hypercube:4", "midimew:16", "torus:8x8"})
    for (const std::uint32_t steps : {1U, 32U, 33U, 500U, 1024U}) {
      const auto tables = tables_of(topology, steps);
      BOOST_REQUIRE(tables.shape.most_cells > 0U);
      for (const auto& orbit : tables.orbits) {
        BOOST_TEST(orbit.cells <= EXCHANGE_MOST_CELLS);
        std::vector<std::uint32_t> costs(tables.shape.links + 1, 0);
        for (std::uint32_t link = 0; link < tables.shape.links; ++link)
          costs[link] = static_cast<std::uint32_t>(1 + random() % 9);
        BOOST_TEST(by_cells(tables, orbit, costs, 32 / (tables.shape.words / 8)) == by_edges(tables, orbit, costs),
                   topology << ", " << steps << " steps");
      }
    }
}

BOOST_AUTO_TEST_CASE(large_graphs_have_none) {
  // Paths of the ring have 33 links.
  BOOST_TEST(tables_of("ring:66", 545).shape.most_cells == 0U);
  BOOST_TEST(tables_of("mesh:3x3", 1025).shape.most_cells == 0U);
  BOOST_TEST(tables_of("mesh:8x8", 128).shape.most_cells == 64U);
  BOOST_TEST(tables_of("mesh:9x9", 162).shape.most_cells == 81U);
  // Nodes that are reached over three links or four have two cells or three.
  BOOST_TEST(tables_of("torus:8x8", 64).shape.most_cells == 78U);
}

BOOST_AUTO_TEST_CASE(a_graph_of_one_cell_too_many_has_none) {
  // Opposite corners of a mesh of 255 nodes, and the same with a tail of one node.
  const auto most_cells = [](int nodes) {
    std::string text = fmt::format("nodes {}\n", nodes);
    for (int node = 0; node < 255; ++node) {
      if (node % 15 != 14) text += fmt::format("link {} {}\n", node, node + 1);
      if (node + 15 < 255) text += fmt::format("link {} {}\n", node, node + 15);
    }
    if (nodes > 255) text += "link 254 255\n";
    const auto pattern = fmt::format("many-to-many:0:{}", nodes - 1);
    const auto tables = tables_of(make_problem(test::topology_of(text), pattern), 40);
    BOOST_TEST(tables.shape.most_nodes == static_cast<std::uint32_t>(nodes));
    return tables.shape.most_cells;
  };
  BOOST_TEST(most_cells(255) == 255U);
  BOOST_TEST(most_cells(256) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
