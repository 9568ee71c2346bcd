#include "networks.hpp"

#include <boost/test/unit_test.hpp>
#include <clopt/error.hpp>
#include <cmath>
#include <limits>

#include <exchange/network/linear_programme.hpp>
#include <exchange/network/lower_bound.hpp>

using namespace clopt;
using namespace clopt::exchange;

namespace {

// The bound that weights prove, by trying every path.
std::uint64_t slow_bound(const Problem& problem, const std::vector<std::uint64_t>& weights) {
  const auto distance = test::distances_of(problem.topology);
  std::uint64_t total = 0;
  std::uint64_t sum = 0;
  for (const auto weight : weights) sum += weight;
  for (const auto& transfer : problem.transfers) {
    std::uint64_t lightest = std::numeric_limits<std::uint64_t>::max();
    for (const auto& path : test::all_shortest_paths(problem.topology, distance, transfer.from, transfer.to)) {
      std::uint64_t weight = 0;
      for (std::size_t hop = 0; hop + 1 < path.size(); ++hop) {
        const auto& links = problem.topology.links;
        const auto link = std::find(links.begin(), links.end(), Link{path[hop], path[hop + 1]});
        weight += weights[static_cast<std::size_t>(link - links.begin())];
      }
      lightest = std::min(lightest, weight);
    }
    total += lightest;
  }
  return (total + sum - 1) / sum;
}

std::uint64_t bound_steps(const Problem& problem) {
  const auto bound = find_bound(problem);
  BOOST_TEST(bound_of(problem, bound.weights) == bound.steps);
  BOOST_TEST(bound.exact());
  return bound.steps;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exchange_bounds)

BOOST_AUTO_TEST_CASE(closed_forms_hold) {
  for (std::uint64_t a = 2; a <= 10; ++a) {
    const auto size = std::to_string(a) + "x" + std::to_string(a);
    const auto cut = a % 2 == 0 ? a * a * a : a * (a * a - 1);
    BOOST_TEST(bound_steps(test::complete_exchange("mesh:" + size)) == cut / 4);
    if (a > 2) BOOST_TEST(bound_steps(test::complete_exchange("torus:" + size)) == (cut + 7) / 8);
  }
  for (std::uint32_t d = 1; d <= 8; ++d)
    BOOST_TEST(bound_steps(test::complete_exchange("hypercube:" + std::to_string(d))) == std::uint64_t{1} << (d - 1));
  BOOST_TEST(bound_steps(test::complete_exchange("torus:4x4x4")) == 32U);
  BOOST_TEST(bound_steps(test::complete_exchange("midimew:32")) == 22U);
  BOOST_TEST(bound_steps(test::complete_exchange("fat-tree:3x3")) == 26U);
  BOOST_TEST(bound_steps(test::complete_exchange("complete:9")) == 1U);
}

BOOST_AUTO_TEST_CASE(a_broken_corner_link_leaves_the_bound) {
  auto mesh = make_topology("mesh:6x6");
  remove_link(mesh, 0, 1);
  const auto problem = make_problem(mesh, "all-to-all");
  const auto bound = find_bound(problem);
  BOOST_TEST(bound.steps == 54U);
  BOOST_TEST(slow_bound(problem, bound.weights) == 54U);
}

BOOST_AUTO_TEST_CASE(weights_prove_the_bound_over_all_paths) {
  std::mt19937_64 random(5);
  for (std::uint32_t round = 0; round < 30; ++round) {
    BOOST_TEST_INFO("seed 5, round " << round);
    const auto problem = make_problem(test::random_network(random, 2 + round % 8), "all-to-all");
    std::vector<std::uint64_t> weights(problem.topology.links.size());
    for (auto& weight : weights) weight = random() % 4;
    weights[0] = 1;
    BOOST_TEST(bound_of(problem, weights) == slow_bound(problem, weights));
  }
}

BOOST_AUTO_TEST_CASE(no_weights_prove_more_than_the_bound) {
  // Neither weights drawn at random nor those beside the certificate's, nor any that are reached from it by changing
  // one weight after the other where that proves no less.
  std::mt19937_64 random(6);
  for (int round = 0; round < 8; ++round) {
    BOOST_TEST_INFO("seed 6, round " << round);
    const auto problem = make_problem(test::random_network(random, 6), "all-to-all");
    const auto bound = find_bound(problem);
    BOOST_TEST(slow_bound(problem, bound.weights) == bound.steps);
    if (!bound.exact()) continue;
    for (int trial = 0; trial < 200; ++trial) {
      std::vector<std::uint64_t> weights(problem.topology.links.size());
      for (auto& weight : weights) weight = random() % 3;
      weights[random() % weights.size()] = 1;
      BOOST_REQUIRE(slow_bound(problem, weights) <= bound.steps);
      auto beside = bound.weights;
      for (auto& weight : beside) weight = 2 * weight + random() % 2;
      BOOST_REQUIRE(slow_bound(problem, beside) <= bound.steps);
    }
    auto climbing = bound.weights;
    for (auto& weight : climbing) weight *= 3;
    for (int trial = 0; trial < 300; ++trial) {
      auto next = climbing;
      auto& weight = next[random() % next.size()];
      weight = random() % 2 == 0 ? weight + 1 : weight - std::min<std::uint64_t>(weight, 1);
      if (std::count(next.begin(), next.end(), 0U) == std::ssize(next)) continue;
      const auto proven = slow_bound(problem, next);
      BOOST_REQUIRE(proven <= bound.steps);
      if (proven == bound.steps) climbing = next;
    }
  }
}

BOOST_AUTO_TEST_CASE(the_ascent_alone_stays_below_the_linear_programme) {
  if (!has_linear_programme()) return;
  std::mt19937_64 random(7);
  for (int round = 0; round < 6; ++round) {
    BOOST_TEST_INFO("seed 7, round " << round);
    const auto problem = make_problem(test::random_network(random, 9), "all-to-all");
    const Network network(problem.topology);
    const RunControl control;
    BoundEffort effort;
    effort.largest_programme = 0;
    const auto ascended = BoundSearch(problem, network).run(Watch(control), effort);
    const auto optimum = least_largest_load(Router(problem, network), 60);
    BOOST_REQUIRE(optimum.has_value());
    BOOST_TEST(bound_of(problem, ascended.weights) == ascended.steps);
    BOOST_TEST(ascended.steps <= static_cast<std::uint64_t>(std::ceil(optimum->load - 1e-6)));
    BOOST_TEST(ascended.routing_load >= optimum->load - 1e-6);
    BOOST_TEST(static_cast<double>(ascended.steps) >= 0.9 * optimum->load);
  }
}

BOOST_AUTO_TEST_CASE(weights_that_prove_nothing_are_refused) {
  const auto problem = test::complete_exchange("ring:5");
  BOOST_CHECK_THROW(bound_of(problem, std::vector<std::uint64_t>(10, 0)), InvalidInput);
  BOOST_CHECK_THROW(bound_of(problem, std::vector<std::uint64_t>(9, 1)), InvalidInput);
  BOOST_CHECK_THROW(bound_of(problem, std::vector<std::uint64_t>(10, std::uint64_t{1} << 62)), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
