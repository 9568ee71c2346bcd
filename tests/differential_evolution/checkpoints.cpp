/// \file
/// Runs that resume from a checkpoint and end as if they had not stopped; checkpoints of other runs are refused.
#include <clopt/checkpoint.hpp>
#include <clopt/differential_evolution.hpp>
#include <clopt/error.hpp>
#include <support/device.hpp>
#include <support/folder.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "host.hpp"

using namespace clopt;
namespace de = clopt::differential_evolution;

namespace {

using test::host;
using test::problem_of;

std::shared_ptr<const Checkpoint> read(const std::filesystem::path& file) {
  return std::make_shared<const Checkpoint>(Checkpoint::read(file, ""));
}

/// A run of which all that a checkpoint compares can be changed.
struct Run {
  de::Problem problem{Objective::from_text("real objective(individual x) { return gene(x, 0u) * row(x, 0u); }\n")};
  de::Options options = test::classical();

  Run() {
    problem.dimensions = 3;
    problem.problems = 2;
    problem.columns = 1;
    problem.data = {1, 2};
    problem.lower = {-1};
    problem.upper = {1};
    options.population = 8;
    options.generations = 5;
  }
};

void check_refused(const std::shared_ptr<const Checkpoint>& checkpoint, Run run, const std::string& entry,
                   const std::function<void(Run&)>& change) {
  BOOST_TEST_CONTEXT(entry) {
    change(run);
    run.options.resume = checkpoint;
    BOOST_CHECK_EXCEPTION(de::solve(run.problem, run.options, *host(1)), InvalidInput, [&](const InvalidInput& error) {
      BOOST_TEST_INFO(error.what());
      return std::string(error.what()).find("its run has the `" + entry + "`") != std::string::npos;
    });
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(checkpoints)

BOOST_AUTO_TEST_CASE(every_difference_of_a_run_is_refused_by_its_name) {
  const test::Folder folder;
  const auto file = folder.path() / "checkpoint";
  const Run run;
  auto begun = run.options;
  begun.checkpoint = std::make_shared<CheckpointWriter>(file);
  de::solve(run.problem, begun, *host(1));
  const auto checkpoint = read(file);
  const auto refused = [&](const std::string& entry, const std::function<void(Run&)>& change) {
    check_refused(checkpoint, run, entry, change);
  };
  refused("objective", [](Run& other) {
    other.problem.objective =
        Objective::from_text("real objective(individual x) { return gene(x, 1u) * row(x, 0u); }\n");
  });
  refused("direction", [](Run& other) { other.problem.objective.set_direction(Direction::maximise); });
  refused("dimensions", [](Run& other) { other.problem.dimensions = 4; });
  refused("problems", [](Run& other) {
    other.problem.problems = 3;
    other.problem.data = {1, 2, 3};
  });
  refused("columns", [](Run& other) {
    other.problem.columns = 2;
    other.problem.data = {1, 2, 3, 4};
  });
  refused("data", [](Run& other) { other.problem.data = {1, 2.5}; });
  refused("lower", [](Run& other) { other.problem.lower = {-1, -1, -2}; });
  refused("upper", [](Run& other) { other.problem.upper = {2}; });
  refused("precision", [](Run& other) { other.options.precision = "double"; });
  refused("strategy", [](Run& other) { other.options.strategy = "rand1exp"; });
  refused("adapt", [](Run& other) {
    other.options.adapt = "jde";
    other.options.strategy = "rand1bin";
  });
  refused("bounds", [](Run& other) { other.options.bounds = "reflect"; });
  refused("population", [](Run& other) { other.options.population = 9; });
  refused("weight", [](Run& other) { other.options.weight = 0.75; });
  refused("crossover", [](Run& other) { other.options.crossover = 0.5; });
  refused("seed", [](Run& other) { other.options.seed = 2; });
}

BOOST_AUTO_TEST_CASE(limits_and_ways_to_compute_may_change) {
  const test::Folder folder;
  const auto file = folder.path() / "checkpoint";
  const auto problem = problem_of("rastrigin", 3, 2);
  de::Options options = test::classical();
  options.generations = 5;
  options.spread = 1e-9;
  options.checkpoint = std::make_shared<CheckpointWriter>(file);
  de::solve(problem, options, *host(1));
  auto whole = test::classical();
  whole.generations = 30;
  const auto expected = de::solve(problem, whole, *host(1)).checksum;
  auto other = test::classical();
  other.resume = read(file);
  // The usual bounds, the usual population and the usual strategy may be given by hand.
  other.strategy = "rand1bin";
  other.population = 20;
  other.method = "merged";
  other.evaluations = 31 * 20;
  other.target = -1;
  BOOST_TEST(de::solve(problem, other, *host(2)).checksum == expected);
}

BOOST_AUTO_TEST_CASE(a_population_that_shrinks_is_bound_to_its_limits) {
  const test::Folder folder;
  const auto file = folder.path() / "checkpoint";
  Run by_generations;
  by_generations.problem = problem_of("sphere", 3, 2);
  by_generations.options.adapt = "lshade";
  auto begun = by_generations.options;
  begun.checkpoint = std::make_shared<CheckpointWriter>(file);
  de::solve(by_generations.problem, begun, *host(1));
  check_refused(read(file), by_generations, "generations", [](Run& other) { other.options.generations = 6; });
  check_refused(read(file), by_generations, "evaluations", [](Run& other) { other.options.evaluations = 100; });
  auto by_evaluations = by_generations;
  by_evaluations.options.evaluations = 100;
  begun = by_evaluations.options;
  begun.checkpoint = std::make_shared<CheckpointWriter>(file);
  de::solve(by_evaluations.problem, begun, *host(1));
  check_refused(read(file), by_evaluations, "evaluations", [](Run& other) { other.options.evaluations = 101; });
  by_evaluations.options.resume = read(file);
  by_evaluations.options.generations = 7;
  BOOST_TEST(de::solve(by_evaluations.problem, by_evaluations.options, *host(1)).values.size() == 2U);
}

BOOST_AUTO_TEST_CASE(the_checkpoint_of_another_solver_is_refused) {
  const test::Folder folder;
  const auto file = folder.path() / "checkpoint";
  CheckpointWriter(file).write(Record(RunIdentity("genetic")));
  de::Options options = test::classical();
  options.resume = read(file);
  BOOST_CHECK_EXCEPTION(
      de::solve(problem_of("sphere", 3, 2), options, *host(1)), InvalidInput,
      [](const InvalidInput& error) { return std::string(error.what()).find("genetic") != std::string::npos; });
}

// A target that some have reached and others have not: those that miss a nearer one continue where they stopped.
BOOST_AUTO_TEST_CASE(a_run_continues_with_another_target) {
  const test::Folder folder;
  const auto file = folder.path() / "checkpoint";
  const auto problem = problem_of("sphere", 3, 6);
  de::Options options = test::classical();
  options.strategy = "best1bin";
  options.generations = 60;
  for (const auto& [first, second] : {std::pair{0.5, 1e-4}, {1e-4, 0.5}}) {
    const auto writer = std::make_shared<CheckpointWriter>(file);
    auto begun = options;
    begun.target = first;
    begun.generations = 12;
    begun.checkpoint = writer;
    de::solve(problem, begun, *host(1));
    const auto checkpoint = read(file);
    std::uint64_t checksum = 0;
    for (const char* method : {"offloaded", "staged", "ahead", "merged", "fused"}) {
      auto resumed = options;
      resumed.method = method;
      resumed.target = second;
      resumed.resume = checkpoint;
      const auto result = de::solve(problem, resumed, *host(1));
      if (checksum == 0) checksum = result.checksum;
      BOOST_TEST(result.checksum == checksum);
      BOOST_TEST(result.solved == 6U);
      for (const auto stop : result.stops) BOOST_TEST((stop == de::Stop::target));
    }
    if (first < second) continue;
    options.target = second;
    BOOST_TEST(de::solve(problem, options, *host(1)).checksum == checksum);
  }
}

BOOST_AUTO_TEST_CASE(a_population_that_shrinks_keeps_its_schedule) {
  const test::Folder folder;
  const auto file = folder.path() / "checkpoint";
  std::stop_source stop;
  std::atomic<int> calls{0};
  // The first launches of a function have a few generations each.
  const auto function = [&](std::span<const double> x) {
    if (++calls == 1000) stop.request_stop();
    return std::abs(x[0]) + std::abs(x[1] - 1);
  };
  de::Problem problem{Objective::from_real_function(function)};
  problem.dimensions = 2;
  problem.problems = 3;
  problem.lower = {-5};
  problem.upper = {5};
  de::Options options = test::classical();
  options.adapt = "lshade";
  options.generations = 60;
  const auto writer = std::make_shared<CheckpointWriter>(file);
  RunControl control;
  control.stop = stop.get_token();
  options.checkpoint = writer;
  BOOST_TEST(de::solve(problem, options, *host(1), control).interrupted());
  options.checkpoint.reset();
  const auto expected = de::solve(problem, options, *host(1));
  const auto checkpoint = read(file);
  options.resume = checkpoint;
  for (const char* method : {"offloaded", "staged", "ahead", "merged", "fused"}) {
    options.method = method;
    const auto result = de::solve(problem, options, *host(1));
    BOOST_TEST(result.checksum == expected.checksum);
    BOOST_TEST(result.total_evaluations == expected.total_evaluations);
  }
  options.generations = 61;
  BOOST_CHECK_THROW(de::solve(problem, options, *host(1)), InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_run_continues_from_every_checkpoint_to_the_same_end) {
  const test::Folder folder;
  const auto file = folder.path() / "checkpoint";
  for (const char* precision : {"float", "double"}) {
    const auto problem = problem_of("ackley", 5, 3);
    auto options = test::classical();
    options.precision = precision;
    options.strategy = "best1exp";
    options.adapt = "jde";
    options.generations = 40;
    options.target = 0.5;
    const auto expected = de::solve(problem, options, test::device());
    for (const std::uint64_t cut : {0U, 1U, 17U, 40U}) {
      const auto writer = std::make_shared<CheckpointWriter>(file);
      auto first = options;
      first.generations = cut;
      first.checkpoint = writer;
      de::solve(problem, first, test::device());
      BOOST_TEST(writer->written() >= 1U);
      const auto checkpoint = read(file);
      auto second = options;
      second.resume = checkpoint;
      const auto resumed = de::solve(problem, second, test::device());
      BOOST_TEST(resumed.checksum == expected.checksum);
      BOOST_TEST(resumed.total_evaluations == expected.total_evaluations);
      BOOST_TEST(resumed.values == expected.values, boost::test_tools::per_element());
    }
  }
  const auto checkpoint = read(file);
  auto other = test::classical();
  other.resume = checkpoint;
  BOOST_CHECK_THROW(de::solve(problem_of("ackley", 6, 3), other, test::device()), InvalidInput);
}

// Statistics are not reported twice, and problems that ended before keep their values.
BOOST_AUTO_TEST_CASE(statistics_continue_from_a_checkpoint) {
  const test::Folder folder;
  const auto file = folder.path() / "run";
  const auto problem = problem_of("sphere", 2, 13);
  de::Options options = test::classical();
  options.population = 10;
  options.target = 1e-3;
  options.generations = 60;
  std::vector<de::Statistics> rows;
  options.statistics = [&](const de::Statistics& row) { rows.push_back(row); };
  const auto whole = de::solve(problem, options, *host(1));
  const auto expected = std::exchange(rows, {});
  auto begun = options;
  // Some have ended there, not all.
  begun.generations = expected.size() * 3 / 4;
  BOOST_TEST_REQUIRE(expected[*begun.generations].running > 0U);
  BOOST_TEST_REQUIRE(expected[*begun.generations].running < 13U);
  begun.checkpoint = std::make_shared<CheckpointWriter>(file);
  de::solve(problem, begun, *host(1));
  options.resume = read(file);
  const auto resumed = de::solve(problem, options, *host(1));
  BOOST_TEST(resumed.checksum == whole.checksum);
  test::require_same(rows, expected);
}

BOOST_AUTO_TEST_SUITE_END()
