/// \file
/// Runs that move between devices have the results of those that do not.
#include <clopt/clopt.hpp>
#include <support/folder.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <tuple>
#include <vector>

#include "moved.hpp"

namespace {

using namespace clopt;

template <class Result>
std::uint64_t evaluations_of(const Result& result) {
  if constexpr (requires { result.evaluations; })
    return result.evaluations;
  else
    return result.total_evaluations;
}

using Rows = std::vector<std::tuple<std::uint64_t, std::uint64_t, double, double, double>>;

template <class Problem, class Options>
void check_moves(const Problem& problem, Options options, bool has_statistics = true) {
  test::Moves moves;
  Rows expected_rows;
  Rows rows;
  const auto record_into = [&](Rows& to) {
    if (has_statistics)
      options.statistics = [&to](const auto& row) {
        to.emplace_back(row.generation, row.evaluations, row.best, row.mean, row.worst);
      };
  };
  record_into(expected_rows);
  const auto expected = solve(problem, options, test::processor());
  record_into(rows);
  for (int round = 0; round < test::rounds(4, 1); ++round) {
    const int every = moves.draw();
    BOOST_TEST_CONTEXT(moves.text() << ", moves with each " << every << " th progress") {
      rows.clear();
      const auto moved = std::make_shared<int>(0);
      const auto result = solve(problem, options, test::moved_each(every, test::accelerator(), moved));
      BOOST_TEST(*moved > 0);
      BOOST_TEST(result.checksum == expected.checksum);
      BOOST_TEST(result.generations == expected.generations);
      BOOST_TEST(evaluations_of(result) == evaluations_of(expected));
      BOOST_TEST((result.ending == expected.ending));
      BOOST_TEST((rows == expected_rows));
      BOOST_TEST(result.failures.empty());
      test::require_parts(result);
    }
  }
}

genetic::Problem bits() { return {Objective::named("onemax"), 49, {}, {}}; }

}  // namespace

BOOST_AUTO_TEST_SUITE(automatic_moves)

BOOST_AUTO_TEST_CASE(genetic_runs_move, *boost::unit_test::label("device")) {
  genetic::Options options;
  options.preset = "paper";
  options.population = 49;
  options.generations = 1000;
  check_moves(bits(), options);
  check_moves(bits(), options, false);
  options.islands = 3;
  options.migrate_every = 7;
  options.stagnation = 20;
  check_moves(bits(), options);
}

BOOST_AUTO_TEST_CASE(runs_of_differential_evolution_move, *boost::unit_test::label("device")) {
  differential_evolution::Problem problem{Objective::named("rastrigin")};
  problem.dimensions = 7;
  problem.problems = 3;
  differential_evolution::Options options;
  options.generations = 1000;
  check_moves(problem, options);
  check_moves(problem, options, false);
}

BOOST_AUTO_TEST_CASE(ecga_runs_move, *boost::unit_test::label("device")) {
  const ecga::Problem problem{ecga::find_objective("trap5"), 30};
  ecga::Options options;
  options.population = 700;
  check_moves(problem, options);
  check_moves(problem, options, false);
}

BOOST_AUTO_TEST_CASE(exchanges_move, *boost::unit_test::label("device")) {
  const auto problem = exchange::make_problem(exchange::make_topology("mesh:5x5"), "all-to-all");
  exchange::Options options;
  options.optimizer = "anneal";
  options.steps_are_bound = true;
  options.replicas = 3;
  const auto expected = exchange::solve(problem, options, test::processor());
  test::Moves moves;
  const int every = moves.draw();
  BOOST_TEST_CONTEXT(moves.text() << ", moves with each " << every << " th progress") {
    const auto moved = std::make_shared<int>(0);
    const auto result = exchange::solve(problem, options, test::moved_each(every, test::accelerator(), moved));
    BOOST_TEST(*moved > 0);
    BOOST_TEST(result.checksum == expected.checksum);
    BOOST_TEST(result.generations == expected.generations);
    BOOST_TEST(result.evaluations == expected.evaluations);
    test::require_parts(result);
  }
}

BOOST_AUTO_TEST_CASE(subset_sums_begin_again_where_they_move, *boost::unit_test::label("device")) {
  const auto instance = subset_sum::make_instance("even-odd:200:100000", 1);
  subset_sum::Options options;
  options.method = "k3-32";
  options.reduce = false;
  const auto expected = subset_sum::solve(instance, options, test::processor());
  int moved = 0;
  AutomaticOptions automatic;
  automatic.device = {.threads = 1, .self_test = false};
  automatic.open_accelerator = [] { return test::accelerator(); };
  // Once: a run that begins again and again does not end.
  automatic.moves = [&](const Progress&) { return ++moved == 2; };
  const auto result = subset_sum::solve(instance, options, chosen_by_work(automatic));
  BOOST_TEST(moved > 2);
  BOOST_TEST(result.checksum == expected.checksum);
  BOOST_TEST(result.value == expected.value);
  test::require_parts(result);
}

BOOST_AUTO_TEST_CASE(a_run_that_begins_again_keeps_what_it_has) {
  genetic::Options options;
  options.preset = "paper";
  options.population = 128;
  options.generations = 200;
  // The population is too large to move.
  const genetic::Problem large{Objective::named("onemax"), 2'200'000, {}, {}};
  int reports = 0;
  AutomaticOptions automatic;
  automatic.device = {.threads = 2, .self_test = false};
  automatic.open_accelerator = [] { return test::processor().front(); };
  automatic.moves = [&](const Progress&) { return ++reports == 4; };
  RunControl control;
  control.progress_interval = 0;
  double best = 1e9;
  control.progress = [&](const Progress& progress) {
    if (progress.best) best = std::min(best, *progress.best);
    return reports < 6;
  };
  const auto result = genetic::solve(large, options, chosen_by_work(automatic), control);
  BOOST_TEST((result.ending == Ending::interrupted));
  BOOST_TEST(result.generations > 1U);
  BOOST_TEST(result.fitness == best);
  BOOST_TEST(result.devices.size() == 1U);
}

BOOST_AUTO_TEST_CASE(checkpoints_are_those_of_one_run, *boost::unit_test::label("device")) {
  genetic::Options options;
  options.preset = "paper";
  options.population = 49;
  options.generations = 200;
  const auto whole = genetic::solve(bits(), options, test::processor());
  const test::Folder folder;
  const auto file = folder.path() / "run";
  test::Moves moves;
  const int every = moves.draw();
  BOOST_TEST_CONTEXT(moves.text() << ", moves with each " << every << " th progress") {
    auto half = options;
    half.generations = 90;
    half.checkpoint = std::make_shared<CheckpointWriter>(file, "", 0);
    genetic::solve(bits(), half, test::moved_each(every));
    BOOST_TEST(half.checkpoint->written() > 0U);
    options.resume = std::make_shared<const Checkpoint>(Checkpoint::read(file, "genetic"));
    const auto result = genetic::solve(bits(), options, test::moved_each(every));
    BOOST_TEST(result.checksum == whole.checksum);
    BOOST_TEST(result.evaluations == whole.evaluations);
  }
}

BOOST_AUTO_TEST_CASE(limits_and_stops_end_all_parts) {
  genetic::Options options;
  options.preset = "paper";
  options.population = 49;
  options.generations = 1'000'000;
  RunControl control;
  control.time_limit = 0.2;
  BOOST_TEST((genetic::solve(bits(), options, test::moved_each(3), control).ending == Ending::time));
  control = {};
  int reports = 0;
  control.progress_interval = 0;
  control.progress = [&](const Progress&) { return ++reports < 12; };
  BOOST_TEST((genetic::solve(bits(), options, test::moved_each(3), control).ending == Ending::interrupted));
  BOOST_TEST(reports == 12);
  control = {};
  std::stop_source stop;
  control.stop = stop.get_token();
  control.progress_interval = 0;
  control.progress = [&](const Progress&) {
    if (++reports == 30) stop.request_stop();
    return true;
  };
  const auto result = genetic::solve(bits(), options, test::moved_each(2), control);
  BOOST_TEST((result.ending == Ending::interrupted));
  BOOST_TEST(result.generations < 1'000'000U);
}

BOOST_AUTO_TEST_CASE(what_callbacks_throw_reaches_the_caller) {
  genetic::Options options;
  options.preset = "paper";
  options.population = 49;
  options.generations = 1000;
  options.statistics = [](const genetic::Statistics& row) {
    if (row.generation == 40) throw DeviceError("of the caller");
  };
  BOOST_CHECK_THROW(genetic::solve(bits(), options, test::moved_each(2)), DeviceError);
  options.statistics = nullptr;
  RunControl control;
  control.progress_interval = 0;
  control.progress = [reports = 0](const Progress&) mutable {
    if (++reports == 7) throw DeviceError("of the caller");
    return true;
  };
  BOOST_CHECK_THROW(genetic::solve(bits(), options, test::moved_each(2), control), DeviceError);
}

BOOST_AUTO_TEST_SUITE_END()
