/// \file
/// Replicas on the device under test: what they say of themselves, and that both forms of a move are one.
#include "networks.hpp"

#include <clopt/clopt.hpp>
#include <exchange/anneal/replicas.hpp>
#include <support/device.hpp>
#include <support/skip.hpp>

#include <boost/test/unit_test.hpp>

namespace {

using namespace clopt;
using namespace clopt::exchange;
using test::conflicts_by_definition;

std::uint64_t checksum_of(const ReplicaState& state) {
  std::uint64_t hash = 14695981039346656037U;
  const auto add = [&](std::uint64_t value) { hash = (hash ^ value) * 1099511628211U; };
  for (const auto slot : state.slots) add(slot);
  for (const auto link : state.paths) add(link);
  for (const auto energy : state.energies) add(energy);
  return hash;
}

/// Runs replicas and checks that what they say of themselves is true of their schedules.
std::uint64_t run_replicas(const Problem& problem, SymmetryGroup group, std::uint32_t steps, int launches,
                           std::uint64_t seed, std::uint32_t count = 5, SlotForm form = SlotForm::best) {
  const Network network(problem.topology);
  const auto tables = make_orbit_tables(network, problem.transfers, std::move(group), steps);
  BOOST_REQUIRE(tables.has_value());
  Replicas replicas(test::device(), *tables, count, seed, Rule::heat_bath, form);
  if (form == SlotForm::planes) BOOST_REQUIRE(replicas.has_planes());
  for (int i = 0; i < launches; ++i) replicas.advance();
  const auto state = replicas.state();
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto slots = std::span(state.slots).subspan(i * tables->shape.orbits, tables->shape.orbits);
    const auto hops = std::size_t{tables->shape.orbits} * tables->shape.most_hops;
    const auto schedule =
        expand(*tables, network, problem.transfers, slots, std::span(state.paths).subspan(i * hops, hops));
    BOOST_TEST(conflicts_by_definition(schedule) == std::uint64_t{state.energies[i]} * tables->shape.order);
    for (std::size_t t = 0; t < problem.transfers.size(); ++t) {
      const auto& path = schedule.placements[t].path;
      BOOST_REQUIRE(path.front() == problem.transfers[t].from);
      BOOST_REQUIRE(path.back() == problem.transfers[t].to);
      BOOST_REQUIRE(path.size() == network.distance(path.front(), path.back()) + 1U);
    }
  }
  return checksum_of(state);
}

bool has_own_subgroups() { return test::device().subgroup().provider != SubgroupProvider::emulated; }

/// One launch after the placing by planes, where sub-groups are the device's own, and by bytes, which are the same.
/// \returns how many launches of the former were ended by bytes.
std::uint64_t compare_forms(const Problem& problem, const SymmetryGroup& group, std::uint32_t steps, Rule rule) {
  const Network network(problem.topology);
  const auto tables = make_orbit_tables(network, problem.transfers, group, steps);
  BOOST_REQUIRE(tables.has_value());
  // At any width: the best form is by planes only where it is the one that sub-groups were tried at.
  Replicas planes(test::device(), *tables, 3, steps, rule, has_own_subgroups() ? SlotForm::planes : SlotForm::best);
  Replicas bytes(test::device(), *tables, 3, steps, rule, SlotForm::bytes);
  for (auto* const replicas : {&planes, &bytes})
    for (bool was_placed = false; !was_placed;) {
      was_placed = replicas->is_placed();
      replicas->advance();
    }
  BOOST_TEST(planes.has_planes() == (has_own_subgroups() && tables->shape.most_cells > 0));
  BOOST_TEST(!bytes.has_planes());
  BOOST_TEST(checksum_of(planes.state()) == checksum_of(bytes.state()),
             problem.topology.name << ", order " << group.order() << ", " << steps << " steps");
  return planes.ended_by_bytes();
}

std::uint64_t compare_forms(const std::string& topology, std::uint32_t steps, Rule rule = Rule::heat_bath) {
  const auto problem = test::complete_exchange(topology);
  return compare_forms(problem, trivial_group(problem.topology.nodes), steps, rule);
}

BOOST_AUTO_TEST_SUITE(replicas, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(replicas_count_their_conflicts, *boost::unit_test::label("oclgrind")) {
  const auto problem = test::complete_exchange("ring:4");
  run_replicas(problem, trivial_group(4), 2, 1, 1, 2);
}

BOOST_AUTO_TEST_CASE(planes_and_bytes_make_the_same_moves) {
  // Slots around whole words; nodes with one edge to four, and chains of cells that take several rounds; more than 32
  // and 64 cells; paths of up to 25 hops.
  for (const auto& [topology, steps] : std::vector<std::pair<std::string, std::uint32_t>>{{"mesh:4x3", 12},
                                                                                          {"mesh:4x4", 31},
                                                                                          {"torus:4x4", 32},
                                                                                          {"hypercube:4", 33},
                                                                                          {"mesh:3x3x2", 97},
                                                                                          {"ring:9", 300},
                                                                                          {"mesh:3x3", 1024},
                                                                                          {"mesh:3x3", 1025},
                                                                                          {"fat-tree:2x3", 8},
                                                                                          {"mesh:6x6", 54},
                                                                                          {"mesh:8x8", 128},
                                                                                          {"torus:8x8", 64},
                                                                                          {"mesh:10x7", 160}})
    BOOST_TEST(compare_forms(topology, steps) == 0U, topology << ", " << steps << " steps, ended by bytes");
  // Among many such paths there are mostly too many conflicts for planes.
  const auto scatter = make_problem(make_topology("ring:50"), "scatter:0");
  BOOST_TEST(compare_forms(scatter, trivial_group(50), 40, Rule::heat_bath) == 0U);
  compare_forms("ring:50", 313);
  // As many cells as there can be; in two slots enough conflicts remain that bytes end launches.
  const auto corners = make_problem(make_topology("mesh:15x17"), "many-to-many:0,14,240,120:254,0,14,130");
  BOOST_TEST(compare_forms(corners, trivial_group(255), 3, Rule::heat_bath) == 0U);
  BOOST_TEST((compare_forms(corners, trivial_group(255), 2, Rule::heat_bath) > 0) == has_own_subgroups());
  compare_forms("mesh:4x4", 18, Rule::tabu);
}

BOOST_AUTO_TEST_CASE(planes_and_bytes_move_orbits_of_groups_alike) {
  for (const auto& [topology, steps] :
       std::vector<std::pair<std::string, std::uint32_t>>{{"torus:4x4", 33}, {"mesh:3x2x2", 33}, {"ring:7", 33}}) {
    const auto problem = test::complete_exchange(topology);
    const auto groups = find_groups(Network(problem.topology), problem.transfers, steps, 1);
    BOOST_REQUIRE(groups.back().order() > 1U);
    compare_forms(problem, groups.back(), steps, Rule::heat_bath);
  }
}

BOOST_AUTO_TEST_CASE(the_best_form_is_by_planes_where_their_width_was_tried) {
  const auto problem = test::complete_exchange("mesh:4x4");
  const auto tables = make_orbit_tables(Network(problem.topology), problem.transfers, trivial_group(16), 16);
  BOOST_REQUIRE(tables.has_value());
  const Replicas best(test::device(), *tables, 1, 1, Rule::heat_bath);
  BOOST_TEST(best.has_planes() == (has_own_subgroups() && test::device().subgroup().size == 32));
}

BOOST_AUTO_TEST_CASE(bytes_end_what_planes_cannot) {
  // More uses of a link than can be distinguished: from the start, and once the first orbits are placed.
  const std::uint64_t all = compare_forms("mesh:4x4", 1) + compare_forms("mesh:5x4", 3);
  if (has_own_subgroups()) BOOST_TEST(all > 0U);
}

BOOST_AUTO_TEST_CASE(replicas_of_groups_count_their_conflicts) {
  for (const std::string topology : {"mesh:3x3", "torus:4x4", "ring:7", "midimew:10", "mesh:3x2x2"}) {
    const auto problem = test::complete_exchange(topology);
    const Network network(problem.topology);
    for (const std::uint32_t steps : {5U, 33U}) {
      const auto groups = find_groups(network, problem.transfers, steps, 1);
      for (const auto index : {std::size_t{0}, groups.size() / 2, groups.size() - 1}) {
        BOOST_TEST_CONTEXT(topology << ", " << steps << " steps, order " << groups[index].order()) {
          if (make_orbit_tables(network, problem.transfers, groups[index], steps))
            run_replicas(problem, groups[index], steps, 2, steps + index);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(replicas_make_the_same_moves_on_every_device) {
  // What the OpenMP device gave, whose schedules the case above checks.
  const auto problem = test::complete_exchange("mesh:5x5");
  BOOST_TEST(run_replicas(problem, trivial_group(25), 31, 3, 7) == 6563380054850593684U);
}

BOOST_AUTO_TEST_SUITE_END()

// Not for each platform: emulated sub-groups take minutes to compile for planes.
BOOST_AUTO_TEST_SUITE(search_planes, *boost::unit_test::label("oclgrind"))

BOOST_AUTO_TEST_CASE(planes_know_their_conflicts) {
  if (test::device().info().local_memory_bytes == 0) return test::skip("it has no local memory");
  const auto problem = test::complete_exchange("ring:4");
  for (const std::uint32_t steps : {1U, 2U, 33U}) {
    const auto by_planes = run_replicas(problem, trivial_group(4), steps, 1, 1, 2, SlotForm::planes);
    BOOST_TEST(by_planes == run_replicas(problem, trivial_group(4), steps, 1, 1, 2, SlotForm::bytes));
  }
  const Network network(problem.topology);
  const auto groups = find_groups(network, problem.transfers, 4, 1);
  BOOST_REQUIRE(groups.back().order() > 1U);
  const auto by_planes = run_replicas(problem, groups.back(), 4, 1, 1, 1, SlotForm::planes);
  BOOST_TEST(by_planes == run_replicas(problem, groups.back(), 4, 1, 1, 1, SlotForm::bytes));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
