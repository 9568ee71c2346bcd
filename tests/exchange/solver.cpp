#include "networks.hpp"
#include "runs.hpp"

using namespace clopt;
using namespace clopt::exchange;
using test::refuses;
using test::solve_here;

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
  for (std::uint32_t round = 0; round < 10; ++round) {
    BOOST_TEST_INFO("seed 13, round " << round);
    RunControl control;
    control.time_limit = 0;
    const auto result =
        solve_here(make_problem(test::random_network(random, 2 + 3 * round), "all-to-all"), {}, control);
    BOOST_TEST(result.conflicts == 0U);
    BOOST_TEST((result.ending == Ending::time || result.schedule.steps == result.bound.steps));
  }
}

BOOST_AUTO_TEST_CASE(reason_names_first_fit_where_no_search_ran) {
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
  BOOST_TEST(result.method == "construct");
  BOOST_TEST(name_of(result.ending) == "complete");
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
  refuses(mesh, options, "`steps` is 5, and no schedule has fewer than 6 steps");
  options.steps = 0;
  refuses(mesh, options, "`steps` is 0; give an integer from 1 to 2147483647");
  options.steps = 6;
  options.steps_are_bound = true;
  refuses(mesh, options, "`steps_are_bound`");
  options = {};
  options.optimizer = "climb";
  refuses(mesh, options, "there is no `optimizer` 'climb'; choose one of auto, umda, anneal, tabu, pack, construct");
  options = {};
  options.offload = "cloud";
  refuses(mesh, options, "there is no `offload` 'cloud'; choose one of host, device");
  options = {};
  options.method = "nodes";
  refuses(mesh, options, "there is no `method` 'nodes'; choose one of links, pairs");
  options = {};
  options.population = 1;
  refuses(mesh, options, "`population` is 1; give an integer from 2 to 131072");
  options.population = most_population + 1;
  refuses(mesh, options, "`population` is 131073");
  options = {};
  options.queues = 3;
  refuses(mesh, options, "`queues` is 3");
  options = {};
  options.replicas = 0;
  refuses(mesh, options, "`replicas` is 0; give an integer from 1 to 65536");
  options = {};
  options.optimizer = "construct";
  refuses(test::complete_exchange("spidergon:8"), options, "no construction");
  options = {};
  options.optimizer = "pack";
  options.steps_are_bound = true;
  refuses(mesh, options, "leave `steps` out");
  BOOST_CHECK_THROW(solve(mesh, {}, std::span<const std::shared_ptr<Device>>()), InvalidInput);
}

BOOST_AUTO_TEST_CASE(roles_and_choices_have_names) {
  BOOST_TEST(name_of(Role::both) == "both");
  BOOST_TEST(name_of(Role::sender) == "sender");
  BOOST_TEST(name_of(Role::receiver) == "receiver");
  BOOST_TEST(name_of(Role::router) == "router");
  BOOST_TEST(choices_of<Options>("optimizer").front() == "auto");
  BOOST_TEST(choices_of<Options>("offload") == (std::vector<std::string>{"host", "device"}),
             boost::test_tools::per_element());
  BOOST_TEST(choices_of<Options>("method") == (std::vector<std::string>{"links", "pairs"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(endings_of_runs) {
  const auto ending_of = [](const Options& options, const std::string& topology = "mesh:4x4",
                            const RunControl& control = {}) {
    return name_of(solve_here(test::complete_exchange(topology), options, control).ending);
  };
  BOOST_TEST(ending_of({}) == "complete");
  Options options;
  options.steps = 18;
  for (const char* optimizer : {"auto", "anneal", "tabu"}) {
    options.optimizer = optimizer;
    BOOST_TEST(ending_of(options) == "target", optimizer);
  }
  options = {};
  options.steps_are_bound = true;
  BOOST_TEST(ending_of(options, "hypercube:3") == "target");
  options.generations = 1;
  for (const char* optimizer : {"anneal", "umda"}) {
    options.optimizer = optimizer;
    BOOST_TEST(ending_of(options, "mesh:5x5") == "generations", optimizer);
  }
  options.steps_are_bound = false;
  for (const char* optimizer : {"anneal", "tabu", "pack", "umda"}) {
    options.optimizer = optimizer;
    BOOST_TEST(ending_of(options, "mesh:5x5") == "generations", optimizer);
  }
  options.generations.reset();
  RunControl no_time;
  no_time.time_limit = 0;
  for (const char* optimizer : {"auto", "anneal", "pack", "umda"}) {
    options.optimizer = optimizer;
    BOOST_TEST(ending_of(options, "mesh:5x5", no_time) == "time", optimizer);
  }
  options.optimizer = "umda";
  BOOST_TEST(ending_of(options, "ring:4") == "complete");
}

BOOST_AUTO_TEST_CASE(packing_is_an_optimizer_and_the_result_has_its_gap) {
  const auto problem = make_problem(make_topology("random:40:3", 2), "all-to-all");
  Options options;
  options.optimizer = "pack";
  options.generations = 30;
  options.threads = 1;
  const auto result = solve_here(problem, options);
  BOOST_TEST(result.conflicts == 0U);
  BOOST_TEST(result.method == "pack");
  BOOST_TEST(result.evaluations > 0U);
  BOOST_TEST(result.gap() + result.bound.steps == result.schedule.steps);
  options.threads = 3;
  BOOST_TEST(solve_here(problem, options).checksum == result.checksum);
}

BOOST_AUTO_TEST_CASE(random_networks_are_packed_to_their_bounds) {
  Options options;
  // Two short packings, and no search.
  options.generations = 200;
  for (const char* optimizer : {"auto", "pack"}) {
    options.optimizer = optimizer;
    for (const std::uint64_t seed : {std::uint64_t{1}, std::uint64_t{4}}) {
      const auto result = solve_here(make_problem(make_topology("random:64:4", seed), "all-to-all"), options);
      BOOST_TEST(result.schedule.steps == result.bound.steps, optimizer << ", seed " << seed);
      BOOST_TEST(result.method == "pack");
      BOOST_TEST(name_of(result.ending) == "complete");
    }
  }
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

BOOST_AUTO_TEST_SUITE_END()
