/// \file
/// Progress, statistics and checkpoints of runs.
#include <clopt/checkpoint.hpp>

#include <support/folder.hpp>

#include <fmt/format.h>

#include <thread>

#include "networks.hpp"
#include "runs.hpp"

using namespace clopt;
using namespace clopt::exchange;
using test::refuses;
using test::solve_here;

BOOST_AUTO_TEST_SUITE(exchange_controls)

BOOST_AUTO_TEST_CASE(a_stop_gives_the_best_so_far) {
  std::stop_source stop;
  stop.request_stop();
  RunControl control;
  control.stop = stop.get_token();
  const auto result = solve_here(test::complete_exchange("mesh:4x4"), {}, control);
  BOOST_TEST(result.interrupted());
  BOOST_TEST(result.conflicts == 0U);
}

BOOST_AUTO_TEST_CASE(progress_gives_the_least_conflicts_and_may_end_the_run) {
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
      control.progress = [&, name = std::string(optimizer)](const Progress& progress) {
        is_this_thread = is_this_thread && std::this_thread::get_id() == thread;
        calls_after_the_end += has_ended ? 1 : 0;
        best = progress.best;
        has_ended = progress.best.has_value() && progress.phase == (name == "umda" ? "umda" : "anneal");
        return !has_ended;
      };
      const auto result = solve_here(problem, options, control);
      BOOST_TEST(is_this_thread);
      BOOST_TEST(name_of(result.ending) == "interrupted");
      BOOST_REQUIRE(best.has_value());
      BOOST_TEST(*best == static_cast<double>(result.conflicts));
      // The launch before the callback has its statistics; no further one is made.
      BOOST_TEST(calls_after_the_end <= 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_device_that_is_null_is_refused) {
  const std::vector<std::shared_ptr<Device>> null(1);
  BOOST_CHECK_THROW(solve(test::complete_exchange("mesh:3x3"), {}, null), InvalidInput);
}

BOOST_AUTO_TEST_CASE(each_better_schedule_is_reported, *boost::unit_test::label("long")) {
  const auto problem = test::complete_exchange("mesh:5x5");
  for (const std::string optimizer : {"auto", "anneal", "tabu", "pack"}) {
    BOOST_TEST_CONTEXT(optimizer) {
      std::vector<Schedule> reported;
      Options options;
      options.optimizer = optimizer;
      options.found = [&](const Bound& bound, const Schedule& schedule) {
        BOOST_TEST(check(problem, claim(problem, schedule)) == "");
        BOOST_TEST(schedule.steps >= bound.steps);
        if (!reported.empty()) BOOST_TEST(schedule.steps < reported.back().steps);
        reported.push_back(schedule);
      };
      const auto result = solve_here(problem, options);
      BOOST_REQUIRE(reported.size() > 1U);
      BOOST_TEST(reported.back().steps == result.schedule.steps);
      BOOST_TEST(checksum_of(claim(problem, reported.back())) == checksum_of(claim(problem, result.schedule)));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_schedule_of_the_requested_steps_is_reported_too) {
  const auto problem = test::complete_exchange("mesh:3x3");
  for (const std::string optimizer : {"anneal", "umda"}) {
    Options options;
    options.optimizer = optimizer;
    options.steps = 12;
    std::vector<Schedule> reported;
    options.found = [&](const Bound&, const Schedule& schedule) { reported.push_back(schedule); };
    BOOST_TEST(solve_here(problem, options).conflicts == 0U);
    BOOST_REQUIRE(!reported.empty() && reported.size() <= 2U);
    BOOST_TEST(reported.back().steps == 12U);
  }
}

// Whatever the search comes to, here nothing, since there is no time for it.
BOOST_AUTO_TEST_CASE(a_search_for_steps_has_a_first_schedule) {
  const auto problem = test::complete_exchange("mesh:4x4");
  for (const std::string optimizer : {"anneal", "umda"}) {
    Options options;
    options.optimizer = optimizer;
    options.steps_are_bound = true;
    options.generations = 1;
    std::vector<Schedule> reported;
    options.found = [&](const Bound&, const Schedule& schedule) { reported.push_back(schedule); };
    solve_here(problem, options);
    BOOST_REQUIRE(!reported.empty());
    BOOST_TEST(check(problem, claim(problem, reported.front())) == "");
  }
}

BOOST_AUTO_TEST_CASE(what_the_callback_of_schedules_throws_reaches_the_caller) {
  for (const std::string topology : {"mesh:5x5", "hypercube:3"}) {
    Options options;
    options.found = [](const Bound&, const Schedule&) { throw std::range_error("enough"); };
    BOOST_CHECK_THROW(solve(test::complete_exchange(topology), options, test::device()), std::range_error);
  }
}

BOOST_AUTO_TEST_CASE(the_callback_ends_the_search_for_the_bound_and_slots_too) {
  const auto problem = test::complete_exchange("spidergon:30");
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

BOOST_AUTO_TEST_CASE(statistics_are_called_for_each_generation_and_launch) {
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
      std::vector<Statistics> seen;
      options.statistics = [&](const Statistics& statistics) { seen.push_back(statistics); };
      const auto result = solve_here(problem, options);
      BOOST_TEST(result.checksum == silent.checksum);
      BOOST_REQUIRE(!seen.empty());
      double best = seen.front().best;
      for (std::size_t i = 0; i < seen.size(); ++i) {
        const auto& each = seen[i];
        best = std::min(best, each.best);
        BOOST_TEST(each.steps == 16U);
        BOOST_TEST(each.best <= each.mean);
        BOOST_TEST(each.mean <= each.worst);
        if (std::string(optimizer) != "umda") {
          BOOST_TEST((i == 0 || each.evaluations > seen[i - 1].evaluations));
          continue;
        }
        BOOST_TEST(each.generation == i);
        BOOST_TEST(each.evaluations == 20 + 10 * i);
      }
      BOOST_TEST(best == static_cast<double>(result.conflicts));
      BOOST_TEST(seen.back().generation == result.generations);
      BOOST_TEST(seen.back().evaluations == result.evaluations);
      BOOST_TEST(result.launches > 0U);
    }
  }
  Options options;
  options.optimizer = "pack";
  options.generations = 1;
  options.statistics = [](const Statistics&) { BOOST_ERROR("packing has no generations"); };
  solve_here(problem, options);
}

BOOST_AUTO_TEST_CASE(what_a_stop_has_left_of_a_packing_is_in_the_checkpoint) {
  const test::Folder folder;
  const auto file = folder.path() / "run";
  const auto problem = test::complete_exchange("torus:5x5");
  Options options;
  options.optimizer = "pack";
  std::vector<std::uint32_t> reported;
  options.found = [&](const Bound&, const Schedule& schedule) { reported.push_back(schedule.steps); };
  const auto whole = solve_here(problem, options);

  options.checkpoint = std::make_shared<CheckpointWriter>(file, "", 0);
  RunControl control;
  control.progress_interval = 0;
  control.progress = [](const Progress& progress) { return progress.phase != "packing" || progress.done < 0.9; };
  reported.clear();
  const auto stopped = solve_here(problem, options, control);
  BOOST_REQUIRE(stopped.interrupted());
  // Better than first fit.
  BOOST_REQUIRE_EQUAL(reported.size(), 2U);
  BOOST_TEST(stopped.schedule.steps == reported.back());

  options.checkpoint = nullptr;
  options.resume = std::make_shared<const Checkpoint>(Checkpoint::read(file, "exchange"));
  RunControl out_of_time;
  out_of_time.time_limit = 0;
  BOOST_TEST(solve_here(problem, options, out_of_time).schedule.steps == stopped.schedule.steps);
  // And nothing else depends on it. The packing continues.
  std::optional<double> first_done;
  RunControl watched;
  watched.progress_interval = 0;
  watched.progress = [&](const Progress& progress) {
    if (progress.phase == "packing" && !first_done) first_done = progress.done;
    return true;
  };
  BOOST_TEST(solve_here(problem, options, watched).checksum == whole.checksum);
  BOOST_TEST_REQUIRE(first_done.has_value());
  BOOST_TEST(*first_done > 0.8);
}

BOOST_AUTO_TEST_CASE(a_run_continues_from_its_checkpoint) {
  const test::Folder folder;
  const auto file = folder.path() / "run";
  const auto problem = test::complete_exchange("mesh:4x4");
  for (const auto& [optimizer, searches] :
       {std::pair("anneal", 1U), std::pair("anneal", 3U), std::pair("tabu", 1U), std::pair("umda", 1U)}) {
    BOOST_TEST_CONTEXT(optimizer << ", " << searches << " searches") {
      Options options;
      options.optimizer = optimizer;
      options.searches = searches;
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

// The first moves of a search give each transfer its place; those of a large network take several launches.
BOOST_AUTO_TEST_CASE(a_run_continues_while_its_transfers_are_placed, *boost::unit_test::label("long")) {
  const test::Folder folder;
  const auto file = folder.path() / "run";
  const auto problem = test::complete_exchange("torus:6x6");
  for (const char* optimizer : {"anneal", "tabu"}) {
    BOOST_TEST_CONTEXT(optimizer) {
      Options options;
      options.optimizer = optimizer;
      options.generations = 300;
      const auto whole = solve_here(problem, options);
      for (int launches = 1; launches <= 3; ++launches) {
        options.checkpoint = std::make_shared<CheckpointWriter>(file, "", 0);
        RunControl control;
        control.progress_interval = 0;
        control.progress = [left = launches](const Progress& progress) mutable {
          return progress.phase != "anneal" || --left > 0;
        };
        solve(problem, options, test::device(), control);
        options.checkpoint = nullptr;
        options.resume = std::make_shared<const Checkpoint>(Checkpoint::read(file, "exchange"));
        BOOST_TEST(solve_here(problem, options).checksum == whole.checksum);
        options.resume = nullptr;
      }
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
      if (options.optimizer == "umda") {
        refuses(problem, with([](Options& changed) { changed.population = 21; }),
                "its run has the `population` 20, and this one has 21");
        refuses(problem, with([](Options& changed) { changed.tournament = 3; }),
                "its run has the `tournament` 4, and this one has 3");
        refuses(problem, with([](Options& changed) { changed.mutations = 2; }),
                "its run has the `mutations` 3, and this one has 2");
        refuses(problem, with([](Options& changed) { changed.tries = 31; }),
                "its run has the `tries` 32, and this one has 31");
      } else
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
