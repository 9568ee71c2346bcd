/// \file
/// Links that share words of counters, and paths as additions to them.
#include "networks.hpp"

#include <exchange/genes.hpp>

#include <boost/test/unit_test.hpp>

#include <map>
#include <set>

namespace {

using namespace clopt;
using namespace clopt::exchange;

GeneTable table_of(const Problem& problem) {
  const Network network(problem.topology);
  return make_gene_table(problem, network, Paths(network));
}

BOOST_AUTO_TEST_SUITE(link_words)

BOOST_AUTO_TEST_CASE(every_link_has_a_counter_of_its_own) {
  for (const std::string topology : {"ring:7", "mesh:3x3", "torus:5x5", "hypercube:4", "spidergon:10", "mesh:7x7"}) {
    const auto table = table_of(test::complete_exchange(topology));
    const auto shared = share_out_links(table.links, table.genes, table.paths);
    std::set<std::pair<unsigned, unsigned>> counters;
    for (std::uint32_t link = 0; link < table.links; ++link) {
      BOOST_TEST(shared.word[link] < shared.words);
      BOOST_TEST(shared.counter[link] < EXCHANGE_LINKS_A_WORD);
      counters.emplace(shared.word[link], shared.counter[link]);
    }
    BOOST_TEST(counters.size() == table.links, topology);
    BOOST_TEST(shared.words == (table.links + EXCHANGE_LINKS_A_WORD - 1) / EXCHANGE_LINKS_A_WORD, topology);
  }
}

BOOST_AUTO_TEST_CASE(additions_are_the_links_of_their_path) {
  for (const std::string topology : {"ring:9", "mesh:4x3", "hypercube:3", "mesh:3x3x2"}) {
    const auto table = table_of(test::complete_exchange(topology));
    // The transfers between neighbours tell where each link is counted.
    std::map<std::uint32_t, std::uint32_t> place;
    for (std::size_t i = 0; i < table.genes.size(); ++i)
      if (table.genes[i].hops == 1)
        place[table.paths[table.genes[i].first]] = table.words.additions[table.words.genes[i] & 0xffffff].x;
    BOOST_TEST(place.size() == table.links);
    for (std::size_t i = 0; i < table.genes.size(); ++i) {
      const auto& gene = table.genes[i];
      const auto packed = table.words.genes[i];
      for (std::uint32_t k = 0; k < gene.paths; ++k) {
        std::map<std::uint32_t, std::uint32_t> expected;
        for (std::uint32_t hop = 0; hop < gene.hops; ++hop) {
          const auto link = table.paths[gene.first + k * gene.hops + hop];
          expected[place[link] >> 24] += place[link] & 0xffffff;
        }
        std::map<std::uint32_t, std::uint32_t> found;
        const std::uint32_t elements = (packed >> 24 & 0xff) / 4 + ((packed >> 24) % 4 != 0);
        for (std::uint32_t e = 0; e < elements; ++e) {
          const auto& own = table.words.additions[(packed & 0xffffff) + k * elements + e];
          for (const auto addition : {own.x, own.y, own.z, own.w})
            if (addition != 0) found[addition >> 24] += addition & 0xffffff;
        }
        BOOST_TEST((found == expected), topology << ", gene " << i << ", path " << k);
      }
    }
  }
}

// A row of a mesh is a word: a path then takes an addition for each of its straight runs.
BOOST_AUTO_TEST_CASE(links_of_a_straight_line_go_together) {
  const auto table = table_of(test::complete_exchange("mesh:7x7"));
  for (std::size_t i = 0; i < table.genes.size(); ++i) BOOST_TEST(table.words.genes[i] >> 24 <= table.genes[i].hops);
  const auto straight = [&](std::size_t i) { return table.genes[i].paths == 1; };
  for (std::size_t i = 0; i < table.genes.size(); ++i)
    if (straight(i)) BOOST_TEST(table.words.genes[i] >> 24 == 1U);
}

BOOST_AUTO_TEST_CASE(networks_with_too_many_links_have_none) {
  const auto table = table_of(make_problem(make_topology("ring:800"), "scatter:0"));
  BOOST_TEST(table.words.words == 0U);
  BOOST_TEST(table.words.additions.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
