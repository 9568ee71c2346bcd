/// \file
/// Genes that several transfers share by symmetries of the network, against what their schedules are.
#include "networks.hpp"

#include <exchange/umda/genes.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace clopt;
using namespace clopt::exchange;

/// Conflicts by their definition: pairs of transfers of one slot, for each link of both.
std::uint64_t conflicts_of(const Schedule& schedule) {
  std::map<std::vector<std::uint32_t>, std::uint64_t> uses;
  for (const auto& placement : schedule.placements)
    for (std::size_t hop = 1; hop < placement.path.size(); ++hop)
      ++uses[{placement.slot, placement.path[hop - 1], placement.path[hop]}];
  std::uint64_t sum = 0;
  for (const auto& [key, count] : uses) sum += count * (count - 1) / 2;
  return sum;
}

/// The same of an individual's genes, by the links that the table has.
std::uint64_t conflicts_of(const GeneTable& table, const std::vector<std::uint32_t>& genes) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> uses;
  for (std::size_t i = 0; i < genes.size(); ++i)
    for (std::uint32_t hop = 0; hop < table.genes[i].hops; ++hop)
      ++uses[{genes[i] >> 16, table.paths[table.genes[i].first + (genes[i] & 0xffff) * table.genes[i].hops + hop]}];
  std::uint64_t sum = 0;
  for (const auto& [key, count] : uses) sum += count * (count - 1) / 2;
  return sum;
}

/// What is wrong with a schedule's paths, each transfer being in a slot of its own.
std::string fault_of(const Problem& problem, const Schedule& schedule) {
  auto claimed = claim(problem, schedule);
  claimed.steps = static_cast<std::int64_t>(claimed.transfers.size());
  for (std::size_t i = 0; i < claimed.transfers.size(); ++i) claimed.transfers[i].slot = static_cast<std::int64_t>(i);
  return check(problem, claimed);
}

void check_schedules(const Problem& problem, std::uint32_t most, std::uint32_t order) {
  constexpr std::uint32_t slots = 3;
  constexpr std::uint64_t seed = 7;
  BOOST_TEST_CONTEXT(problem.topology.name << ", " << problem.transfers.size() << " transfers, at most " << most
                                           << ", seed " << seed) {
    const Network network(problem.topology);
    const auto table = make_symmetric_gene_table(problem, network, Paths(network), most, seed);
    BOOST_TEST_REQUIRE(table.group.order() == order);
    BOOST_TEST(table.genes.size() * order == problem.transfers.size());
    BOOST_TEST(std::set(table.transfers.begin(), table.transfers.end()).size() == problem.transfers.size());
    std::mt19937 random(seed);
    for (int individual = 0; individual < 7; ++individual) {
      std::vector<std::uint32_t> genes;
      for (const auto& gene : table.genes)
        genes.push_back(static_cast<std::uint32_t>(random() % slots << 16 | random() % gene.paths));
      const auto schedule = decode(table, problem, network, slots, genes);
      BOOST_TEST(fault_of(problem, schedule).empty(), fault_of(problem, schedule));
      BOOST_TEST(conflicts_of(schedule) == conflicts_of(table, genes));
      BOOST_TEST(conflicts_of(schedule) == count_conflicts(problem, schedule));
      for (std::size_t i = 0; i < genes.size(); ++i)
        for (std::uint32_t n = 0; n < order; ++n)
          BOOST_TEST(schedule.placements[table.transfers[i * order + n]].slot == genes[i] >> 16);
    }
  }
}

void check_schedules(const std::string& topology, std::uint32_t most, std::uint32_t order) {
  check_schedules(test::complete_exchange(topology), most, order);
}

void check_own(const Problem& problem) {
  const Network network(problem.topology);
  const auto table = make_symmetric_gene_table(problem, network, Paths(network), 64, 1);
  BOOST_TEST(table.group.order() == 1U);
  BOOST_TEST(table.genes.size() == problem.transfers.size());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(symmetric_genes)

BOOST_AUTO_TEST_CASE(stand_for_schedules) {
  check_schedules("mesh:3x3", 64, 2);
  check_schedules("mesh:4x4", 64, 4);
  check_schedules("mesh:4x4", 3, 2);
  check_schedules("hypercube:4", 64, 16);
  check_schedules("torus:4x4", 64, 16);
  check_schedules("torus:5x5", 64, 2);
  check_schedules("ring:7", 64, 2);
}

BOOST_AUTO_TEST_CASE(are_a_transfer_s_own_with_one) { check_schedules("mesh:3x3", 1, 1); }

// Symmetries of a hypercube are of orders up to 12, of which powers undo themselves.
BOOST_AUTO_TEST_CASE(are_shared_by_two) { check_schedules("hypercube:5", 2, 2); }

BOOST_AUTO_TEST_CASE(stand_for_schedules_of_patterns) {
  check_schedules(make_problem(make_topology("mesh:5x5"), "scatter:12"), 64, 2);
  check_schedules(make_problem(make_topology("mesh:4x4"), "scatter:5"), 64, 1);
}

// Half a turn would be a symmetry, under which the only path of 0 to 3 meets its image.
BOOST_AUTO_TEST_CASE(are_a_transfer_s_own_where_no_group_serves) {
  check_own(
      make_problem(test::topology_of("nodes 4\narc 0 1\narc 1 2\narc 2 3\narc 3 0\narc 1 0\narc 3 2\n"), "all-to-all"));
}

BOOST_AUTO_TEST_CASE(are_a_transfer_s_own_where_two_are_wanted) {
  auto problem = test::complete_exchange("mesh:4x4");
  const auto once = problem.transfers;
  problem.transfers.insert(problem.transfers.end(), once.begin(), once.end());
  check_own(problem);
}

BOOST_AUTO_TEST_CASE(are_a_transfer_s_own_on_parallel_channels) {
  check_own(make_problem(test::topology_of("nodes 3\nlink 0 1 2\nlink 1 2 2\n"), "all-to-all"));
}

BOOST_AUTO_TEST_SUITE_END()
