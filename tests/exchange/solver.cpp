#include <clopt/checkpoint.hpp>
#include <clopt/error.hpp>

#include <support/device.hpp>
#include <support/folder.hpp>

#include <fmt/format.h>
#include <boost/test/unit_test.hpp>

#include <thread>

#include "networks.hpp"

using namespace clopt;
using namespace clopt::exchange;

namespace {

Result solve_here(const Problem& problem, const Options& options = {}, const RunControl& control = {}) {
  const auto result = solve(problem, options, test::device(), control);
  BOOST_TEST(result.schedule.placements.size() == problem.transfers.size());
  BOOST_TEST(count_conflicts(problem, result.schedule) == result.conflicts);
  if (result.conflicts == 0) BOOST_TEST(check(problem, claim(problem, result.schedule)) == "");
  BOOST_TEST(bound_of(problem, result.bound.weights) == result.bound.steps);
  BOOST_TEST(result.schedule.steps >= result.bound.steps);
  return result;
}

void refuses(const Problem& problem, const Options& options, const std::string& because) {
  BOOST_CHECK_EXCEPTION(solve(problem, options, test::device()), InvalidInput, [&](const InvalidInput& error) {
    BOOST_TEST_INFO(error.what());
    BOOST_TEST(std::string(error.what()).find(because) != std::string::npos, error.what()
                                                                                 << " does not say: " << because);
    return true;
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
    BOOST_TEST((result.ending == Ending::time || result.schedule.steps == result.bound.steps));
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
  refuses(mesh, options, "`steps` is 0; give 1 or more");
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
  refuses(mesh, options, "`population` is 1; give 2 to 131072 individuals");
  options.population = most_population + 1;
  refuses(mesh, options, "`population` is 131073");
  options = {};
  options.queues = 3;
  refuses(mesh, options, "`queues` is 3");
  options = {};
  options.replicas = 0;
  refuses(mesh, options, "`replicas` is 0; give 1 to 65536");
  options = {};
  options.optimizer = "construct";
  refuses(mesh, options, "no construction");
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
  BOOST_TEST(optimizers().front() == "auto");
  BOOST_TEST(offloads() == (std::vector<std::string>{"host", "device"}), boost::test_tools::per_element());
  BOOST_TEST(methods() == (std::vector<std::string>{"links", "pairs"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_ending_tells_why_a_run_ended) {
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

BOOST_AUTO_TEST_CASE(packing_is_an_optimizer_and_the_gap_is_told) {
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
  BOOST_TEST(result.interrupted());
  BOOST_TEST(result.conflicts == 0U);
}

BOOST_AUTO_TEST_CASE(progress_tells_the_least_conflicts_and_may_end_the_run) {
  const auto problem = test::complete_exchange("mesh:5x5");
  for (const auto& [optimizer, offload] : {std::pair("anneal", "host"), std::pair("tabu", "host"),
                                           std::pair("umda", "host"), std::pair("umda", "device")}) {
    BOOST_TEST_CONTEXT(optimizer << ", " << offload) {
      Options options;
      options.optimizer = optimizer;
      options.offload = offload;
      options.steps_are_bound = true;
      options.population = 20;
      std::optional<double> best;
      int calls_after_the_end = 0;
      bool has_ended = false;
      const auto thread = std::this_thread::get_id();
      bool is_this_thread = true;
      options.statistics = [&](const Statistics&) { calls_after_the_end += has_ended ? 1 : 0; };
      RunControl control;
      control.progress_interval = 0;
      control.progress = [&](const Progress& progress) {
        is_this_thread = is_this_thread && std::this_thread::get_id() == thread;
        calls_after_the_end += has_ended ? 1 : 0;
        best = progress.best;
        has_ended =
            progress.best.has_value() && progress.phase == (std::string(optimizer) == "umda" ? "umda" : "anneal");
        return !has_ended;
      };
      const auto result = solve_here(problem, options, control);
      BOOST_TEST(is_this_thread);
      BOOST_TEST(name_of(result.ending) == "interrupted");
      BOOST_REQUIRE(best.has_value());
      BOOST_TEST(*best == static_cast<double>(result.conflicts));
      // The launch that was told of has its statistics; no further one is made.
      BOOST_TEST(calls_after_the_end <= 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_callback_ends_the_search_for_the_bound_and_slots_too) {
  const auto problem = test::complete_exchange("ring:31");
  for (const std::string phase : {"first schedule", "packing"}) {
    RunControl control;
    control.progress_interval = 0;
    std::vector<std::string> phases;
    control.progress = [&](const Progress& progress) {
      phases.emplace_back(progress.phase);
      return progress.phase != phase;
    };
    const auto result = solve_here(problem, {}, control);
    BOOST_TEST(name_of(result.ending) == "interrupted");
    BOOST_TEST(result.conflicts == 0U);
    BOOST_TEST(phases.back() == phase);
  }
  // A random network's bound takes a dual ascent.
  RunControl control;
  control.progress_interval = 0;
  int calls = 0;
  control.progress = [&](const Progress&) { return ++calls < 1; };
  const auto result = solve_here(make_problem(make_topology("random:40:3", 2), "all-to-all"), {}, control);
  BOOST_TEST(result.interrupted());
  BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(statistics_tell_of_each_generation_and_launch) {
  const auto problem = test::complete_exchange("mesh:4x4");
  for (const auto& [optimizer, offload] : {std::pair("anneal", "host"), std::pair("tabu", "host"),
                                           std::pair("umda", "host"), std::pair("umda", "device")}) {
    BOOST_TEST_CONTEXT(optimizer << ", " << offload) {
      Options options;
      options.optimizer = optimizer;
      options.offload = offload;
      options.steps = 16;
      options.generations = 40;
      options.population = 20;
      const auto silent = solve_here(problem, options);
      std::vector<Statistics> told;
      options.statistics = [&](const Statistics& statistics) { told.push_back(statistics); };
      const auto result = solve_here(problem, options);
      BOOST_TEST(result.checksum == silent.checksum);
      BOOST_REQUIRE(!told.empty());
      double best = told.front().best;
      for (std::size_t i = 0; i < told.size(); ++i) {
        const auto& each = told[i];
        best = std::min(best, each.best);
        BOOST_TEST(each.steps == 16U);
        BOOST_TEST(each.best <= each.mean);
        BOOST_TEST(each.mean <= each.worst);
        if (std::string(optimizer) != "umda") {
          BOOST_TEST((i == 0 || each.evaluations > told[i - 1].evaluations));
          continue;
        }
        BOOST_TEST(each.generation == i);
        BOOST_TEST(each.evaluations == 20 + 10 * i);
      }
      BOOST_TEST(best == static_cast<double>(result.conflicts));
      BOOST_TEST(told.back().generation == result.generations);
      BOOST_TEST(told.back().evaluations == result.evaluations);
      BOOST_TEST(result.launches > 0U);
    }
  }
  Options options;
  options.optimizer = "pack";
  options.generations = 1;
  options.statistics = [](const Statistics&) { BOOST_ERROR("packing has no generations"); };
  solve_here(problem, options);
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
      options.checkpoint = std::make_shared<CheckpointWriter>(file, "", 0);
      options.generations = 23;
      solve_here(problem, options);
      BOOST_TEST(options.checkpoint->written() > 0U);
      options.generations = 60;
      options.checkpoint = nullptr;
      options.resume = std::make_shared<const Checkpoint>(Checkpoint::read(file, "exchange"));
      const auto resumed = solve_here(problem, options);
      BOOST_TEST(resumed.checksum == whole.checksum);
      BOOST_TEST(resumed.generations == whole.generations);
      BOOST_TEST(resumed.evaluations == whole.evaluations);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_checkpoint_of_another_run_is_refused) {
  const test::Folder folder;
  const auto file = folder.path() / "run";
  const auto problem = make_problem(make_topology("mesh:4x4"), "many-to-many:0-7:0-15");
  for (const char* optimizer : {"anneal", "umda"}) {
    BOOST_TEST_CONTEXT(optimizer) {
      Options options;
      options.optimizer = optimizer;
      options.steps = 30;
      options.population = 20;
      options.generations = 1;
      options.checkpoint = std::make_shared<CheckpointWriter>(file, "", 0);
      solve_here(problem, options);
      options.checkpoint = nullptr;
      options.resume = std::make_shared<const Checkpoint>(Checkpoint::read(file, ""));
      const auto with = [&](auto change) {
        auto changed = options;
        change(changed);
        return changed;
      };
      refuses(make_problem(make_topology("torus:4x4"), "many-to-many:0-7:0-15"), options, "its run has the `topology`");
      auto broken = make_topology("mesh:4x4");
      remove_link(broken, 0, 1);
      refuses(make_problem(broken, "many-to-many:0-7:0-15"), options, "its run has the `topology` mesh:4x4");
      refuses(make_problem(make_topology("mesh:4x4"), "all-to-all"), options, "its run has the `pattern`");
      refuses(problem, with([](Options& changed) { changed.optimizer = "tabu"; }),
              fmt::format("its run has the `optimizer` {}, and this one has tabu", optimizer));
      refuses(problem, with([](Options& changed) { changed.seed = 2; }),
              "its run has the `seed` 1, and this one has 2");
      refuses(problem, with([](Options& changed) { changed.steps = 31; }),
              "its run has the `steps` 30, and this one has 31");
      if (options.optimizer == "umda")
        refuses(problem, with([](Options& changed) { changed.population = 21; }),
                "its run has the `population` 20, and this one has 21");
      else
        refuses(problem, with([](Options& changed) { changed.replicas = 15; }),
                "its run has the `replicas` 16, and this one has 15");
      // Limits may change, and how a run is carried out.
      const auto elsewhere = solve_here(problem, with([](Options& changed) {
                                          changed.generations = 4;
                                          changed.threads = 1;
                                          changed.queues = 1;
                                        }));
      for (const char* offload : {"host", "device"})
        for (const char* method : {"links", "pairs"})
          BOOST_TEST(solve_here(problem, with([&](Options& changed) {
                                  changed.generations = 4;
                                  changed.offload = offload;
                                  changed.method = method;
                                }))
                         .checksum == elsewhere.checksum);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
