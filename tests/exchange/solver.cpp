#include <clopt/checkpoint.hpp>
#include <clopt/error.hpp>

#include <support/device.hpp>
#include <support/folder.hpp>

#include <boost/test/unit_test.hpp>

#include "networks.hpp"

using namespace clopt;
using namespace clopt::exchange;

namespace {

Result solve_here(const Problem& problem, const Options& options = {}, const RunControl& control = {}) {
  const std::shared_ptr<Device> devices[] = {test::device().shared_from_this()};
  const auto result = solve(problem, options, devices, control);
  BOOST_TEST(result.schedule.placements.size() == problem.transfers.size());
  BOOST_TEST(count_conflicts(problem, result.schedule) == result.conflicts);
  if (result.conflicts == 0) BOOST_TEST(check(problem, claim(problem, result.schedule)) == "");
  BOOST_TEST(bound_of(problem, result.bound.weights) == result.bound.steps);
  BOOST_TEST(result.schedule.steps >= result.bound.steps);
  return result;
}

void refuses(const Problem& problem, const Options& options, const std::string& because) {
  const std::shared_ptr<Device> devices[] = {test::device().shared_from_this()};
  BOOST_CHECK_EXCEPTION(solve(problem, options, devices), InvalidInput, [&](const InvalidInput& error) {
    return std::string(error.what()).find(because) != std::string::npos;
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exchange_solver)

BOOST_AUTO_TEST_CASE(small_networks_meet_their_bound, *boost::unit_test::label("device")) {
  for (const char* name : {"mesh:3x3", "torus:3x3", "ring:7", "mesh:2x3", "hypercube:3"}) {
    BOOST_TEST_CONTEXT(name) {
      const auto result = solve_here(test::complete_exchange(name));
      BOOST_TEST(result.conflicts == 0U);
      BOOST_TEST(result.schedule.steps == result.bound.steps);
    }
  }
}

BOOST_AUTO_TEST_CASE(any_network_has_a_valid_schedule_at_once) {
  std::mt19937_64 random(13);
  for (int round = 0; round < 10; ++round) {
    BOOST_TEST_INFO("seed 13, round " << round);
    RunControl control;
    control.time_limit = 0;
    const auto result =
        solve_here(make_problem(test::random_network(random, 2 + 3 * round), "all-to-all"), {}, control);
    BOOST_TEST(result.conflicts == 0U);
    BOOST_TEST(!result.interrupted);
  }
}

BOOST_AUTO_TEST_CASE(a_reason_is_true_of_a_schedule_that_no_search_made) {
  const auto problem = test::complete_exchange("mesh:3x3");
  const auto begins_with = [](const Result& result, const std::string& how) {
    BOOST_TEST(result.reason.substr(0, how.size()) == how);
  };
  Options options;
  options.generations = 0;
  options.optimizer = "anneal";
  begins_with(solve_here(problem, options), "first fit; ");
  RunControl control;
  control.time_limit = 0;
  const auto alone = solve_here(problem, options, control);
  begins_with(alone, "one transfer a slot, as the run had to end; ");
  BOOST_TEST(alone.schedule.steps == problem.transfers.size());
  options.steps_are_bound = true;
  const auto wrapped = solve_here(problem, options, control);
  begins_with(wrapped, "one transfer a slot, as the run had to end, its 72 slots wrapped round to 6; ");
  BOOST_TEST(wrapped.conflicts > 0U);
}

BOOST_AUTO_TEST_CASE(patterns_with_one_root_need_no_search) {
  const auto result = solve_here(make_problem(make_topology("torus:5x7"), "scatter:3"));
  BOOST_TEST(result.optimizer == "construct");
  BOOST_TEST(result.schedule.steps == result.bound.steps);
  BOOST_TEST(result.bound.steps == 9U);  // 34 messages leave over four links
}

BOOST_AUTO_TEST_CASE(more_steps_than_needed_are_kept) {
  Options options;
  options.steps = 11;
  const auto result = solve_here(test::complete_exchange("hypercube:3"), options);
  BOOST_TEST(result.schedule.steps == 11U);
  BOOST_TEST(result.conflicts == 0U);
}

BOOST_AUTO_TEST_CASE(options_without_meaning_are_refused) {
  const auto mesh = test::complete_exchange("mesh:3x3");
  Options options;
  options.steps = 5;
  refuses(mesh, options, "fewer than 6 steps");
  options.steps = 0;
  refuses(mesh, options, "not 0");
  options = {};
  options.optimizer = "climb";
  refuses(mesh, options, "'climb'");
  options = {};
  options.offload = "cloud";
  refuses(mesh, options, "'cloud'");
  options = {};
  options.method = "nodes";
  refuses(mesh, options, "'nodes'");
  options = {};
  options.population = 1;
  refuses(mesh, options, "population of 1");
  options = {};
  options.optimizer = "construct";
  refuses(mesh, options, "no construction");
  options = {};
  options.optimizer = "pack";
  options.steps_are_bound = true;
  refuses(mesh, options, "leave out the steps");
  BOOST_CHECK_THROW(solve(mesh, {}, {}), InvalidInput);
  options = {};
  options.optimizer = "umda";
  options.offload = "device";
  const std::vector<std::shared_ptr<Device>> two(2, test::device().shared_from_this());
  BOOST_CHECK_THROW(solve(mesh, options, two), InvalidInput);
}

BOOST_AUTO_TEST_CASE(packing_is_an_optimizer_and_the_gap_is_told) {
  const auto problem = make_problem(make_topology("random:40:3", 2), "all-to-all");
  Options options;
  options.optimizer = "pack";
  options.generations = 30;
  options.threads = 1;
  const auto result = solve_here(problem, options);
  BOOST_TEST(result.conflicts == 0U);
  BOOST_TEST(result.optimizer == "pack");
  BOOST_TEST(result.evaluations > 0U);
  BOOST_TEST(result.gap() + result.bound.steps == result.schedule.steps);
  options.threads = 3;
  BOOST_TEST(solve_here(problem, options).checksum == result.checksum);
}

BOOST_AUTO_TEST_CASE(a_network_that_is_too_large_to_search_still_gets_a_schedule) {
  // More links than a search can number, most of them apart from the mesh whose nodes have messages.
  auto topology = make_topology("mesh:4x4");
  const auto mesh = topology.nodes;
  topology.nodes += 257;
  topology.roles.resize(topology.nodes, Role::both);
  for (auto from = mesh; from < topology.nodes; ++from)
    for (auto to = mesh; to < topology.nodes; ++to)
      if (from != to) topology.links.push_back({from, to});
  const auto problem = make_problem(std::move(topology), "many-to-many:0-15:0-15");
  Options options;
  for (const char* optimizer : {"auto", "anneal", "tabu"}) {
    options.optimizer = optimizer;
    // One packing at most.
    options.generations = 1;
    RunControl no_time;
    no_time.time_limit = 0;
    for (const auto& control : {RunControl(), no_time}) {
      const auto result = solve_here(problem, options, control);
      BOOST_TEST(result.conflicts == 0U);
      BOOST_TEST(result.gap() > 0U);
      BOOST_TEST(result.reason.find("65535") != std::string::npos, result.reason);
    }
  }
  options.optimizer = "auto";
  options.generations.reset();
  options.steps = 20;
  refuses(problem, options, "65535");
}

BOOST_AUTO_TEST_CASE(a_stop_gives_the_best_so_far) {
  std::stop_source stop;
  stop.request_stop();
  RunControl control;
  control.stop = stop.get_token();
  const auto result = solve_here(test::complete_exchange("mesh:4x4"), {}, control);
  BOOST_TEST(result.interrupted);
  BOOST_TEST(result.conflicts == 0U);
}

BOOST_AUTO_TEST_CASE(a_run_goes_on_from_its_checkpoint) {
  const test::Folder folder;
  const auto file = folder.path() / "run";
  const auto problem = test::complete_exchange("mesh:4x4");
  for (const char* optimizer : {"anneal", "tabu", "umda"}) {
    BOOST_TEST_CONTEXT(optimizer) {
      Options options;
      options.optimizer = optimizer;
      options.generations = 60;
      options.population = 20;
      const auto whole = solve_here(problem, options);
      CheckpointWriter writer(file, "exchange", "{}", 0);
      options.generations = 23;
      options.checkpoint = &writer;
      solve_here(problem, options);
      BOOST_TEST(writer.written() > 0U);
      const auto checkpoint = Checkpoint::read(file, "exchange");
      options.generations = 60;
      options.checkpoint = nullptr;
      options.resume = &checkpoint;
      const auto resumed = solve_here(problem, options);
      BOOST_TEST(resumed.checksum == whole.checksum);
      BOOST_TEST(resumed.generations == whole.generations);
      BOOST_TEST(resumed.evaluations == whole.evaluations);
      refuses(test::complete_exchange("torus:4x4"), options, "another topology");
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
