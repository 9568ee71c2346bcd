/// \file
/// What is tried one after the other while steps are lowered.
#include "networks.hpp"

#include <exchange/run/attempts.hpp>

#include <boost/test/unit_test.hpp>

namespace {

using namespace clopt;
using namespace clopt::exchange;

/// A problem's ways.
struct Fixture {
  Fixture(const char* topology, std::uint64_t seed, Optimizer optimizer)
      : problem(make_problem(make_topology(topology, seed), "all-to-all")),
        network(problem.topology),
        ways(problem, options, optimizer, network) {
    ways.set_bound(static_cast<std::uint32_t>(find_bound(problem).steps));
  }
  std::vector<Attempt> order() {
    std::vector<Attempt> found;
    for (std::uint32_t turn = 4; turn < 8; ++turn) found.push_back(ways.at(turn));
    return found;
  }
  Problem problem;
  Options options;
  Network network;
  Attempts ways;
};

BOOST_AUTO_TEST_SUITE(ways)

BOOST_AUTO_TEST_CASE(packing_comes_before_a_search_that_no_symmetry_helps) {
  using enum Attempt;
  Fixture mesh("mesh:4x4", 1, Optimizer::automatic);
  BOOST_TEST((mesh.order() == std::vector{packing, bound, more_packing, halves}));
  Fixture random("random:46:3", 2, Optimizer::automatic);
  BOOST_TEST((random.order() == std::vector{packing, more_packing, bound, halves}));
  // With 1,980 transfers a search is the quicker one.
  Fixture smaller("random:45:4", 2, Optimizer::automatic);
  BOOST_TEST((smaller.order() == std::vector{packing, bound, more_packing, halves}));
  for (const auto optimizer : {Optimizer::anneal, Optimizer::tabu, Optimizer::pack}) {
    Fixture other("random:46:3", 2, optimizer);
    BOOST_TEST((other.order() == std::vector{packing, bound, more_packing, halves}));
  }
}

BOOST_AUTO_TEST_CASE(an_optimizer_tries_its_own_ways) {
  const auto tried = [](Optimizer optimizer, std::uint32_t above) {
    Fixture fixture("mesh:4x4", 1, optimizer);
    std::vector<bool> worth;
    for (const auto way : {Attempt::packing, Attempt::bound, Attempt::more_packing, Attempt::halves})
      worth.push_back(fixture.ways.is_worth_trying(way, 16 + above));
    return worth;
  };
  BOOST_TEST((tried(Optimizer::automatic, 1) == std::vector{true, true, true, true}));
  BOOST_TEST((tried(Optimizer::automatic, 0) == std::vector{true, true, true, false}));
  BOOST_TEST((tried(Optimizer::pack, 1) == std::vector{true, false, false, false}));
  BOOST_TEST((tried(Optimizer::anneal, 1) == std::vector{false, true, false, true}));
}

BOOST_AUTO_TEST_CASE(a_search_follows_where_it_comes_next) {
  Fixture mesh("mesh:4x4", 1, Optimizer::automatic);
  Fixture random("random:46:3", 2, Optimizer::automatic);
  Fixture packed("mesh:4x4", 1, Optimizer::pack);
  for (const std::uint32_t turn : {0U, 4U}) {
    BOOST_TEST(mesh.ways.search_follows(turn));
    BOOST_TEST(!mesh.ways.search_follows(turn + 1));
    BOOST_TEST(!random.ways.search_follows(turn));
    BOOST_TEST(random.ways.search_follows(turn + 1));
    BOOST_TEST(!packed.ways.search_follows(turn));
  }
}

BOOST_AUTO_TEST_CASE(efforts_are_doubled_each_round) {
  const auto moves = [](Fixture& fixture, std::uint32_t turn) {
    const auto effort = fixture.ways.packing_effort(turn);
    BOOST_TEST(effort.attempt == turn);
    return effort.moves / static_cast<std::uint32_t>(fixture.network.links().size()) * effort.width;
  };
  Fixture mesh("mesh:4x4", 1, Optimizer::automatic);
  BOOST_TEST(moves(mesh, 0) == 4U);
  BOOST_TEST(moves(mesh, 8) == 16U);
  BOOST_TEST(moves(mesh, 2) == 256U);
  BOOST_TEST(moves(mesh, 6) == 512U);
  BOOST_TEST(mesh.ways.sweeps(5) == 2 * mesh.ways.sweeps(1));
  Fixture random("random:46:3", 2, Optimizer::automatic);
  BOOST_TEST(moves(random, 1) == 64U);
  BOOST_TEST(moves(random, 5) == 128U);
}

BOOST_AUTO_TEST_CASE(what_prevents_searches_is_reported) {
  Fixture mesh("mesh:4x4", 1, Optimizer::automatic);
  BOOST_TEST(mesh.ways.can_search(16));
  BOOST_TEST(mesh.ways.limits() == "");
  BOOST_TEST(!mesh.ways.can_search(70'000));
  BOOST_TEST(mesh.ways.limits().find("65535") != std::string::npos, mesh.ways.limits());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
