/// \file
/// Places of links, and paths as places relative to each other.
#include "networks.hpp"

#include <clopt/error.hpp>
#include <exchange/umda/genes.hpp>

#include <fmt/format.h>
#include <boost/test/unit_test.hpp>

#include <set>

namespace {

using namespace clopt;
using namespace clopt::exchange;

struct Traffic {
  explicit Traffic(const Problem& problem)
      : network(problem.topology), table(make_gene_table(problem, network, Paths(network))) {}
  Network network;
  GeneTable table;
};

/// The places of a path, read as the kernels read them, but bit by bit.
std::vector<std::uint32_t> places_of(const Footprints& footprints, std::size_t gene, std::uint32_t path) {
  const auto [x, y] = footprints.genes[gene];
  const std::uint32_t hops = x >> 24;
  const std::uint32_t bits = 64 / footprints.places_an_element;
  const std::uint32_t words = (hops * bits + 63) / 64;
  std::vector<std::uint32_t> places;
  for (std::uint32_t hop = 0; hop < hops; ++hop) {
    std::uint32_t place = y;
    for (std::uint32_t bit = 0; bit < bits; ++bit) {
      const auto all = hop * bits + bit;
      const auto element = footprints.elements[(x & 0xffffff) + std::size_t{path} * words + all / 64];
      place += static_cast<std::uint32_t>(element >> all % 64 & 1) << bit;
    }
    places.push_back(place);
  }
  return places;
}

BOOST_AUTO_TEST_SUITE(footprints)

BOOST_AUTO_TEST_CASE(every_link_has_a_place_of_its_own) {
  for (const std::string topology : {"ring:7", "mesh:3x3", "torus:5x5", "hypercube:4", "spidergon:10", "mesh:7x7",
                                     "random:32:4", "complete:6", "fat-tree:2x3"}) {
    const Network network(make_topology(topology));
    const auto links = place_links(network);
    const std::set<std::uint32_t> places(links.place.begin(), links.place.end());
    BOOST_TEST(links.place.size() == network.links().size());
    BOOST_TEST(places.size() == network.links().size(), topology);
    BOOST_TEST(*places.rbegin() < links.places, topology);
    BOOST_TEST(2 * links.places <= 3 * network.links().size(), topology);
  }
}

BOOST_AUTO_TEST_CASE(footprints_are_the_places_of_their_path) {
  // Paths of one and of several elements, with places of a byte and of 16 bits.
  bool some_are_wide = false;
  bool some_are_long = false;
  for (const std::string topology :
       {"ring:9", "mesh:4x3", "hypercube:3", "mesh:3x3x2", "random:40:3", "mesh:2x70", "mesh:7x7", "hypercube:7"}) {
    const Traffic setting(test::complete_exchange(topology));
    const auto links = place_links(setting.network);
    const auto& footprints = setting.table.footprints;
    BOOST_TEST(footprints.places == links.places, topology);
    BOOST_TEST(footprints.genes.size() == setting.table.genes.size(), topology);
    std::size_t wrong = 0;
    some_are_wide |= footprints.places_an_element == 4;
    for (std::size_t i = 0; i < footprints.genes.size(); ++i) {
      const auto& gene = setting.table.genes[i];
      some_are_long |= gene.hops > 8;
      for (std::uint32_t k = 0; k < gene.paths; ++k) {
        std::vector<std::uint32_t> expected;
        for (std::uint32_t hop = 0; hop < gene.hops; ++hop)
          expected.push_back(links.place[setting.table.paths[gene.first + k * gene.hops + hop]]);
        wrong += places_of(footprints, i, k) != expected;
      }
    }
    BOOST_TEST(wrong == 0U, topology);
  }
  BOOST_TEST(some_are_wide);
  BOOST_TEST(some_are_long);
}

// Pairs of a mesh that are as far apart in each direction share their paths, and are neighbours.
BOOST_AUTO_TEST_CASE(moved_paths_are_kept_once) {
  const auto problem = test::complete_exchange("mesh:7x7");
  const Traffic setting(problem);
  const auto& table = setting.table;
  std::set<std::pair<int, std::uint32_t>> shapes;
  std::set<std::uint32_t> different;
  std::size_t neighbours = 0;
  for (std::size_t i = 0; i < table.genes.size(); ++i) {
    const auto& transfer = problem.transfers[table.transfers[i]];
    const int across = static_cast<int>(transfer.to % 7) - static_cast<int>(transfer.from % 7);
    const int down = static_cast<int>(transfer.to / 7) - static_cast<int>(transfer.from / 7);
    shapes.emplace(down * 100 + across, table.footprints.genes[i].x);
    different.insert(table.footprints.genes[i].x);
    neighbours += i != 0 && table.footprints.genes[i].x == table.footprints.genes[i - 1].x;
  }
  BOOST_TEST(shapes.size() == 13U * 13 - 1);
  BOOST_TEST(neighbours == table.genes.size() - different.size());
  std::size_t paths = 0;
  for (const auto& gene : table.genes) paths += gene.paths;
  BOOST_TEST(table.footprints.elements.size() < paths);
}

BOOST_AUTO_TEST_CASE(paths_that_are_too_long_have_none) {
  const Traffic setting(make_problem(make_topology("ring:800"), "scatter:0"));
  BOOST_TEST(setting.table.footprints.places == 0U);
  BOOST_TEST(setting.table.footprints.elements.empty());
}

// A ring of one direction: each node has paths of 1 to n - 1 links.
BOOST_AUTO_TEST_CASE(more_links_than_32_bits_count_are_refused) {
  constexpr std::uint64_t nodes = 2050;
  std::string text = fmt::format("nodes {}\n", nodes);
  for (std::uint64_t node = 0; node < nodes; ++node) text += fmt::format("arc {} {}\n", node, (node + 1) % nodes);
  const auto problem = make_problem(test::topology_of(text), "all-to-all");
  BOOST_CHECK_EXCEPTION(Traffic{problem}, InvalidInput, [](const InvalidInput& error) {
    const std::string message = error.what();
    return message.find(fmt::format("{}", nodes * nodes * (nodes - 1) / 2)) != std::string::npos &&
           message.find("anneal or pack") != std::string::npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
