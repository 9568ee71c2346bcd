/// \file
/// Constructed schedules of meshes and tori.
#include "networks.hpp"

#include <exchange/packing/construct.hpp>

#include <boost/test/unit_test.hpp>

#include <map>
#include <set>
#include <string>
#include <tuple>

namespace {

using namespace clopt;
using namespace clopt::exchange;

/// What is wrong with a schedule of the complete exchange, by counting.
std::string fault_of(const Problem& problem, const Schedule& schedule) {
  const auto distance = test::distances_of(problem.topology);
  const std::set<Link> links(problem.topology.links.begin(), problem.topology.links.end());
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> uses;
  if (schedule.placements.size() != std::size_t{problem.topology.nodes} * (problem.topology.nodes - 1)) return "size";
  for (std::size_t i = 0; i < schedule.placements.size(); ++i) {
    const auto& [slot, path] = schedule.placements[i];
    const auto& [from, to] = problem.transfers[i];
    if (slot >= schedule.steps) return "a slot beyond the last one";
    if (path.front() != from || path.back() != to) return "a path of another message";
    if (path.size() != static_cast<std::size_t>(distance[from][to]) + 1) return "a long way";
    for (std::size_t hop = 0; hop + 1 < path.size(); ++hop) {
      if (!links.contains({path[hop], path[hop + 1]})) return "no such link";
      if (!uses.emplace(slot, path[hop], path[hop + 1]).second) return "two messages on a link";
    }
  }
  return "";
}

BOOST_AUTO_TEST_SUITE(grids)

BOOST_AUTO_TEST_CASE(schedules_are_valid_and_as_long_as_expected) {
  // Those after the bar take more slots than the bound.
  const std::map<std::string, std::uint32_t> steps{
      {"ring:2", 1},       {"ring:3", 1},           {"ring:5", 3},      {"ring:7", 6},     {"ring:8", 8},
      {"ring:9", 10},      {"ring:16", 32},         {"torus:4x4", 8},   {"torus:5x3", 9},  {"torus:7x7", 42},
      {"torus:8x8", 64},   {"torus:8x8x2", 128},    {"torus:12x4", 72}, {"torus:8x6", 48}, {"torus:4x2x3", 12},
      {"mesh:2", 1},       {"mesh:3x3", 6},         {"mesh:4x4", 16},   {"mesh:8x8", 128}, {"mesh:7x7", 84},
      {"mesh:12x6", 216},  {"mesh:2x4x3", 24},      {"mesh:4x4x4", 64}, {"mesh:1x8", 16},  {"mesh:8x1x2", 32},
      {"torus:4x4x4", 32}, {"k-ary-n-cube:4x3", 32}};
  const std::map<std::string, std::uint32_t> more{{"ring:6", 6},       {"torus:6x6", 36},  {"mesh:5x5", 42},
                                                  {"torus:3x3x3", 11}, {"torus:9x9", 110}, {"mesh:6x5", 84}};
  for (const auto* const expected : {&steps, &more})
    for (const auto& [name, slots] : *expected) {
      BOOST_TEST_CONTEXT(name) {
        const auto problem = test::complete_exchange(name);
        const auto construction = in_grid(problem, Network(problem.topology), nullptr);
        BOOST_TEST_REQUIRE(construction.has_value());
        BOOST_TEST(fault_of(problem, construction->schedule) == "");
        BOOST_TEST(check(problem, claim(problem, construction->schedule)) == "");
        BOOST_TEST(construction->schedule.steps == slots);
        const auto bound = find_bound(problem).steps;
        BOOST_TEST((bound == slots) == (expected == &steps));
      }
    }
}

BOOST_AUTO_TEST_CASE(all_sides_to_ten) {
  for (const char* const kind : {"mesh:", "torus:"})
    for (std::uint32_t rows = 1; rows <= 10; ++rows)
      for (std::uint32_t columns = 2; columns <= 10; ++columns) {
        const auto name = kind + std::to_string(rows) + "x" + std::to_string(columns);
        BOOST_TEST_CONTEXT(name) {
          const auto problem = test::complete_exchange(name);
          const auto construction = in_grid(problem, Network(problem.topology), nullptr);
          BOOST_TEST_REQUIRE(construction.has_value());
          BOOST_TEST(check(problem, claim(problem, construction->schedule)) == "");
          const auto largest = std::max(rows, columns);
          const auto slots = rows * columns * largest / (kind == std::string("mesh:") ? 4 : 8);
          if (rows % 2 == 0 && columns % 2 == 0 && largest % 4 == 0) BOOST_TEST(construction->schedule.steps == slots);
        }
      }
}

BOOST_AUTO_TEST_CASE(lines_may_be_open_on_some_sides_alone) {
  // A ring of four times a line of four: rows 0, 4, 8 and 12 are joined to a ring.
  auto topology = make_topology("mesh:4x4");
  for (std::uint32_t column = 0; column < 4; ++column) {
    topology.links.push_back({column, 12 + column});
    topology.links.push_back({12 + column, column});
  }
  std::sort(topology.links.begin(), topology.links.end());
  const auto problem = make_problem(topology, "all-to-all");
  const auto construction = in_grid(problem, Network(topology), nullptr);
  BOOST_TEST_REQUIRE(construction.has_value());
  BOOST_TEST(fault_of(problem, construction->schedule) == "");
  BOOST_TEST(construction->schedule.steps == find_bound(problem).steps);
}

BOOST_AUTO_TEST_CASE(other_networks_are_none) {
  for (const char* const name : {"twisted-torus:4x4:2", "random:16:4", "circulant:16:1,4", "complete:6", "spidergon:8"})
    BOOST_TEST(!in_grid(test::complete_exchange(name), Network(make_topology(name)), nullptr), name);
  auto topology = make_topology("mesh:4x4");
  topology.links.erase(topology.links.begin() + 20);
  BOOST_TEST(!in_grid(make_problem(topology, "all-to-all"), Network(topology), nullptr));
  BOOST_TEST(
      !construct(make_problem(make_topology("mesh:4x4"), "many-to-many:0,1:2-9"), Network(make_topology("mesh:4x4"))));
}

BOOST_AUTO_TEST_CASE(a_run_ends_in_time) {
  const auto problem = test::complete_exchange("torus:8x8");
  int calls = 0;
  BOOST_TEST(!in_grid(problem, Network(problem.topology), [&] { return ++calls > 3; }));
  BOOST_TEST(calls == 4);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
