/// \file
/// Messages of unequal size.
#include "networks.hpp"
#include "runs.hpp"

#include <exchange/network/lower_bound.hpp>
#include <exchange/packing/construct.hpp>
#include <exchange/packing/packing_state.hpp>

#include <boost/test/unit_test.hpp>

#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace clopt;
using namespace clopt::exchange;
using test::solve_here;
namespace bt = boost::unit_test;

namespace {

std::vector<Demand> read(const std::string& text, const Topology& topology) {
  std::istringstream stream(text);
  return read_demands(stream, "demands.csv", topology);
}

void require(const std::string& text, const Topology& topology, const std::vector<Demand>& expected) {
  BOOST_TEST_CONTEXT(text) BOOST_TEST((read(text, topology) == expected));
}

template <class Call>
void require_refused(Call call, const std::string& what) {
  BOOST_CHECK_EXCEPTION(call(), InvalidInput, [&](const InvalidInput& error) {
    const std::string message = error.what();
    BOOST_TEST(message.find(what) != message.npos, message << " does not say: " << what);
    return true;
  });
}

// Of a third of all pairs, up to four slots each.
Problem random_problem(std::mt19937_64& random, std::uint32_t nodes) {
  auto topology = test::random_network(random, nodes);
  std::vector<Demand> demands;
  for (std::uint32_t from = 0; from < nodes; ++from)
    for (std::uint32_t to = 0; to < nodes; ++to)
      if (from != to && random() % 3 == 0) demands.push_back({from, to, random() % 5});
  demands.push_back({0, 1, 7});
  std::shuffle(demands.begin(), demands.end(), random);
  std::sort(demands.begin(), demands.end());
  demands.erase(std::unique(demands.begin(), demands.end(),
                            [](const auto& a, const auto& b) { return a.from == b.from && a.to == b.to; }),
                demands.end());
  return make_problem(std::move(topology), "demand:random", std::move(demands));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exchange_demands)

BOOST_AUTO_TEST_CASE(matrices_and_tables_are_read) {
  const auto ring = make_topology("ring:3");
  const std::vector<Demand> expected{{0, 1, 2}, {1, 2, 1}, {2, 0, 30}};
  require("0,2,0\n0,0,1\n30,0,0\n", ring, expected);
  require("\xef\xbb\xbf# slots\r\n0 2 0\r\n0\t0 1\r\n\r\n30 0 0", ring, expected);
  require("0.0;2.0;0.0\n0;0;1.\n3e1;0;0\n", ring, expected);
  require("from,to,slots\n0,1,2\n1,2,1\n1,0,0\n2,0,30\n", ring, expected);
  require("\"Slots\";name;TO;from\n2;a;1;0\n1;b;2;1\n30;c;0;2\n", ring, expected);
  require("\tfrom\tto\tslots\tnote\n0\t0\t1\t2\t\n1\t1\t2\t1\tx\n2\t2\t0\t30\t\n", ring, expected);
  require("from to slots\n0 1 2\n 1 2 1\n2  0 30\n", ring, expected);
  require(",from,to,slots\n0,0,1,2\n1,1,2,1\n2,2,0,30\n", ring, expected);
  // Switches have no messages, and may be left out of a matrix.
  const auto tree = make_topology("fat-tree:2x2");
  require("0 0 0 3\n0 0 0 0\n0 1 0 0\n0 0 0 0\n", tree, {{0, 3, 3}, {2, 1, 1}});
}

BOOST_AUTO_TEST_CASE(what_is_no_demand_is_refused_with_its_line) {
  const auto ring = make_topology("ring:3");
  const auto refused = [&](const std::string& text, const std::string& what) {
    BOOST_TEST_CONTEXT(text) require_refused([&] { read(text, ring); }, "demands.csv" + what);
  };
  refused("", ": there are no demands");
  refused("0 1\n1 0\n", ":2: there are 2 rows, and topology 'ring:3' has 3 nodes");
  refused("0 1 2\n1 0\n2 1 0\n", ":2: 2 fields");
  refused("0 1 2\n1 4 1\n2 1 0\n", ":2: node 1 has a message for itself");
  refused("0 1 2\n1 0 1.5\n2 1 0\n", ":2: '1.5' is not a demand");
  refused("0 1 2\n1 0 -1\n2 1 0\n", ":2: '-1' is not a demand");
  refused("0 1 65536\n1 0 1\n2 1 0\n", ":1: '65536' is not a demand");
  refused("0,1,2\n1,0,\n2,1,0\n", ":2: '' is not a demand");
  refused("0,x,1\n1,0,1\n2,1,0\n", ":1: the first line is 0, x, 1, neither numbers alone nor names with 'from'");
  refused("from,to\n0,1\n", ":1: the first line is from, to, neither numbers alone nor names with 'slots'");
  refused("from,to,slots,from\n0,1,1,1\n", ":1: ");
  refused("from,to,slots\n0,3,1\n", ":2: '3' is not a node");
  refused("from,to,slots\n0,1\n", ":2: ");
  refused("from,to,slots\n0,1,0\n0,1,3\n", ":3: the demand from 0 to 1 is given twice, first in line 2");
  // As pandas writes a table with its index and an empty last column.
  refused("\tfrom\tto\tslots\tnote\n1\t0\t3\t2\t\n", ":2: '3' is not a node");
  refused("from,to,slots\n1,1,1\n", ":2: node 1 has a message for itself");
  const auto roles = test::topology_of("nodes 3\nlink 0 1\nlink 1 2\nrole 0 receiver\nrole 2 sender\n");
  require_refused([&] { read("from,to,slots\n0,1,1\n", roles); }, "node 0 may not send");
  require_refused([&] { read("from,to,slots\n1,2,1\n", roles); }, "node 2 may not receive");
  const auto made = [&](const std::vector<Demand>& demands) { return [=] { make_problem(ring, "demand", demands); }; };
  require_refused(made({{0, 1, 1}, {1, 2, 1}, {0, 1, 2}}), "the demand from 0 to 1 is given twice");
  require_refused(made({{0, 3, 1}}), "3 is not a node");
  require_refused(made({{0, 1, 0}, {2, 2, 0}}), "no node has a message for another");
  require_refused(made({{0, 1, 65536}}), "65536 slots");
  std::vector<Demand> many;
  for (std::uint32_t to = 1; to < 300; ++to) many.push_back({0, to, 65535});
  require_refused([&] { make_problem(make_topology("ring:300"), "demand", many); }, "more than 16777216 transfers");
  require_refused([&] { make_problem(ring, "all-to-all", {{0, 1, 1}}); }, "'demand'");
  require_refused([&] { make_problem(ring, "demand:x"); }, "read_demands()");
  const auto apart = test::topology_of("nodes 3\nlink 0 1\n");
  require_refused([&] { make_problem(apart, "demand", {{0, 2, 1}}); }, "there is no path");
}

BOOST_AUTO_TEST_CASE(a_demand_is_as_many_transfers) {
  const auto problem = make_problem(make_topology("ring:4"), "demand:x", {{2, 0, 1}, {0, 1, 3}, {1, 0, 0}});
  BOOST_TEST((problem.transfers == std::vector<Transfer>{{0, 1}, {0, 1}, {0, 1}, {2, 0}}));
  BOOST_TEST((demands_of(problem) == std::vector<Demand>{{0, 1, 3}, {2, 0, 1}}));
  BOOST_TEST(demands_of(make_problem(make_topology("ring:4"), "scatter:0")).size() == 3U);
}

BOOST_AUTO_TEST_CASE(the_checker_counts_what_takes_place) {
  const auto problem = make_problem(make_topology("ring:3"), "demand", {{0, 1, 2}, {1, 2, 1}});
  ClaimedSchedule schedule;
  schedule.nodes = 3;
  schedule.steps = 3;
  const auto at = [](std::int64_t slot) { return ClaimedTransfer{0, 1, slot, {0, 1}}; };
  schedule.transfers = {at(0), {1, 2, 0, {1, 2}}, at(2)};
  BOOST_TEST(check(problem, schedule) == "");
  schedule.transfers[2].slot = 0;
  BOOST_TEST(check(problem, schedule).find("both take the link from 0 to 1") != std::string::npos);
  schedule.transfers = {at(0), {1, 2, 0, {1, 2}}};
  BOOST_TEST(check(problem, schedule) == "the transfer from 0 to 1 takes place 1 times, and is wanted 2 times");
  schedule.transfers = {at(0), at(1), {1, 2, 0, {1, 2}}, at(2)};
  BOOST_TEST(check(problem, schedule) == "the transfer from 0 to 1 takes place more than 2 times");
}

BOOST_AUTO_TEST_CASE(one_sender_meets_the_bound) {
  std::mt19937_64 random(21);
  for (int i = 0; i < 30; ++i)
    for (const bool gathers : {false, true}) {
      const auto nodes = static_cast<std::uint32_t>(3 + random() % 9);
      const auto topology = test::random_network(random, nodes);
      std::vector<Demand> demands;
      for (std::uint32_t node = 1; node < nodes; ++node)
        if (const auto slots = random() % 6; slots > 0 || node == 1)
          demands.push_back({gathers ? node : 0, gathers ? 0 : node, 1 + slots});
      const auto problem = make_problem(topology, "demand", demands);
      const auto found = construct(problem, Network(topology));
      BOOST_TEST_CONTEXT("seed 21, case " << i) {
        BOOST_REQUIRE(found.has_value());
        BOOST_TEST(check(problem, claim(problem, found->schedule)) == "");
        BOOST_TEST(found->schedule.steps == find_bound(problem).steps);
      }
    }
}

BOOST_AUTO_TEST_CASE(a_slot_is_enough_where_links_have_channels_for_all) {
  const auto topology = test::topology_of("nodes 3\nlink 0 1 2\nlink 1 2\n");
  const auto steps = [&](std::uint64_t slots) {
    return solve_here(make_problem(topology, "demand", {{0, 1, slots}, {1, 2, 1}, {2, 1, 1}})).schedule.steps;
  };
  BOOST_TEST(steps(2) == 1U);
  BOOST_TEST(steps(3) == 2U);
}

// As many transfers between terminals as the complete exchange has, and not these.
BOOST_AUTO_TEST_CASE(other_demands_are_not_taken_for_the_complete_exchange) {
  for (const char* name : {"hypercube:2", "fat-tree:2x2"}) {
    const auto problem =
        make_problem(make_topology(name), "demand", {{0, 1, 3}, {1, 0, 3}, {2, 3, 3}, {3, 2, 1}, {0, 3, 2}});
    BOOST_TEST(problem.transfers.size() == 12U);
    const auto found = solve_here(problem);
    BOOST_TEST(found.conflicts == 0U);
    BOOST_TEST(found.schedule.steps >= 3U);
  }
}

BOOST_AUTO_TEST_CASE(files_have_the_demands) {
  const auto problem = make_problem(make_topology("ring:4"), "demand:x.csv", {{0, 1, 3}, {2, 0, 1}});
  std::istringstream text(to_json(claim(problem, solve_here(problem).schedule)));
  const auto schedule = read_schedule(text, "schedule");
  BOOST_TEST((schedule.demands == demands_of(problem)));
  BOOST_TEST(check(make_problem(make_topology("ring:4"), schedule.pattern, schedule.demands), schedule) == "");
}

BOOST_AUTO_TEST_CASE(a_packing_continues_with_the_transfers_that_are_left) {
  const auto problem = make_problem(make_topology("mesh:3x3"), "demand", {{0, 8, 5}, {8, 0, 2}, {4, 1, 9}, {1, 6, 1}});
  const Network network(problem.topology);
  PartialSchedule schedule(problem, network);
  const auto empty = schedule;
  schedule.update_prices();
  for (std::uint32_t slot = 0; slot < 2; ++slot) {
    schedule.pool().share_out(1, 5, slot);
    schedule.add_slot(SlotPacker(network).fill(schedule.prices(), schedule.pool(), 0, {5, 0, slot}, 300));
  }
  auto read = read_sides(state_of({{schedule, 0, false}}), empty, 1, problem, network);
  BOOST_TEST(read.at(0).schedule.hops_left() == schedule.hops_left());
  for (const auto* each : {&schedule, &read.at(0).schedule}) {
    const auto whole = each->completed();
    BOOST_TEST(check(problem, claim(problem, whole)) == "");
    BOOST_TEST(whole.steps == schedule.completed().steps);
  }
}

// Each copy of a transfer has an orbit of its own.
BOOST_AUTO_TEST_CASE(symmetries_keep_demands, *bt::label("device")) {
  for (const std::uint64_t slots : {2U, 3U}) {
    const auto topology = make_topology("torus:4x4");
    std::vector<Demand> demands;
    for (const auto& each : make_problem(topology, "all-to-all").transfers)
      demands.push_back({each.from, each.to, slots});
    Options options;
    options.optimizer = "anneal";
    const auto found = solve_here(make_problem(topology, "demand", demands), options);
    BOOST_TEST(found.conflicts == 0U);
    BOOST_TEST(found.schedule.steps == 8 * slots);
    BOOST_TEST(found.reason.find("symmetries") != std::string::npos, found.reason);
  }
}

BOOST_AUTO_TEST_CASE(large_demands_take_few_more_steps_than_their_bound) {
  std::mt19937_64 random(23);
  const auto topology = test::random_network(random, 9);
  std::vector<Demand> demands;
  for (std::uint32_t from = 0; from < 9; ++from)
    for (std::uint32_t to = 0; to < 9; ++to)
      if (from != to) demands.push_back({from, to, 20 + random() % 200});
  const auto problem = make_problem(topology, "demand", demands);
  Options options;
  options.optimizer = "pack";
  options.generations = 1;
  const auto found = solve_here(problem, options);
  BOOST_TEST(found.conflicts == 0U);
  BOOST_TEST(static_cast<double>(found.schedule.steps) <= 1.05 * static_cast<double>(found.bound.steps));
}

BOOST_AUTO_TEST_CASE(a_construction_ends_in_time) {
  const auto problem = make_problem(make_topology("mesh:3x3"), "demand", {{0, 8, 90}, {0, 4, 20}});
  int calls = 0;
  BOOST_TEST(!construct(problem, Network(problem.topology), [&] { return ++calls > 3; }));
  BOOST_TEST(calls == 4);
}

BOOST_AUTO_TEST_CASE(every_search_finds_schedules, *bt::label("device")) {
  std::mt19937_64 random(22);
  for (int i = 0; i < 4; ++i) {
    const auto problem = random_problem(random, 5 + static_cast<std::uint32_t>(i));
    const auto bound = find_bound(problem);
    for (const char* optimizer : {"auto", "umda", "anneal", "tabu", "pack"}) {
      Options options;
      options.optimizer = optimizer;
      options.generations = 60;
      options.replicas = 4;
      options.population = 64;
      BOOST_TEST_CONTEXT("seed 22, case " << i << ", " << optimizer) {
        const auto found = solve_here(problem, options);
        const std::string_view name = optimizer;
        BOOST_TEST(found.schedule.steps <= bound.steps + (name == "umda" ? 0 : 1));
        if (name == "auto" || name == "pack") BOOST_TEST(found.conflicts == 0U);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
