/// \file
/// Restarts at stagnation, and presets.
#include <clopt/checkpoint.hpp>
#include <clopt/clopt.hpp>
#include <clopt/genetic.hpp>
#include <support/device.hpp>
#include <support/folder.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "addresses.hpp"

namespace {

using namespace clopt;

constexpr std::uint32_t restart_after = 4;

// Few bits, so that a run stagnates soon.
genetic::Problem few_bits() { return {Objective::named("hiff"), 40, {}, {}}; }

genetic::Options often_restarted(std::uint64_t generations) {
  genetic::Options options;
  options.population = 21;
  options.elites = 2;
  options.restart = restart_after;
  options.generations = generations;
  options.keep_population = true;
  return options;
}

/// What the statistics of a run report of restarts, and what must hold.
struct RestartedCourse {
  std::vector<genetic::Statistics> rows;
  std::vector<std::uint64_t> restarts;  ///< the generations that were drawn anew

  explicit RestartedCourse(const genetic::Problem& problem, genetic::Options options) {
    options.statistics = [this](const genetic::Statistics& row) { rows.push_back(row); };
    result = genetic::solve(problem, options, test::device());
    const double sign = problem.objective.direction() == Direction::maximise ? -1 : 1;
    double best = std::numeric_limits<double>::infinity();
    std::uint64_t improved = 0;
    for (const auto& row : rows) {
      if (row.generation > 0 && row.generation - improved > restart_after) {
        restarts.push_back(row.generation);
        best = std::numeric_limits<double>::infinity();
      }
      if (sign * row.best >= best) continue;
      best = sign * row.best;
      improved = row.generation;
    }
  }
  genetic::Result result;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(genetic_restarts)

// A restart follows a number of generations without an improvement, and counts all its individuals.
BOOST_AUTO_TEST_CASE(restarts_come_where_there_is_no_improvement, *boost::unit_test::label("device")) {
  const auto problem = few_bits();
  const RestartedCourse course(problem, often_restarted(90));
  BOOST_TEST(course.restarts.size() > 3U);
  BOOST_TEST(course.result.restarts == course.restarts.size());
  std::uint64_t evaluations = 21;
  double best = 0;
  for (const auto& row : course.rows) {
    const bool is_drawn =
        std::find(course.restarts.begin(), course.restarts.end(), row.generation) != course.restarts.end();
    if (row.generation > 0) evaluations += is_drawn ? 21 : 19;
    BOOST_TEST(row.evaluations == evaluations);
    best = std::max(best, row.best);
    BOOST_TEST(row.best_so_far == best);
  }
  BOOST_TEST(course.result.evaluations == evaluations);
  BOOST_TEST(course.result.fitness == best);
}

// The population of a restart is drawn at the address of its generation.
BOOST_AUTO_TEST_CASE(a_restart_draws_its_own_population, *boost::unit_test::label("device")) {
  const auto problem = few_bits();
  const RestartedCourse course(problem, often_restarted(60));
  BOOST_REQUIRE(!course.restarts.empty());
  const auto generation = course.restarts[course.restarts.size() / 2];
  const auto result = genetic::solve(problem, often_restarted(generation), test::device());
  for (std::uint32_t i = 0; i < 21; ++i) {
    const auto block = oracle::philox(1, oracle::start, static_cast<std::uint32_t>(generation), i, 0);
    const auto word = std::uint64_t{block[1]} << 32 | block[0];
    for (std::uint32_t gene = 0; gene < 40; ++gene)
      BOOST_TEST_REQUIRE(result.population[i * 40 + gene] == static_cast<double>(word >> gene & 1));
  }
}

BOOST_AUTO_TEST_CASE(who_computes_a_restart_changes_nothing, *boost::unit_test::label("device")) {
  const auto host = open_device("openmp:0");
  for (const std::uint32_t islands : {1U, 3U})
    for (const char* objective : {"hiff", "rastrigin"}) {
      const genetic::Problem problem{Objective::named(objective), 20, {}, {}};
      auto options = often_restarted(50);
      options.islands = islands;
      options.stagnation = 45;
      const auto expected = genetic::solve(problem, options, *host);
      if (objective == std::string("hiff")) BOOST_TEST(expected.restarts > 1U);
      for (const std::string granularity : {"fused", "thread", "gene"}) {
        if (!test::tries_all() && (islands == 1 || (granularity == "fused") != (objective == std::string("hiff"))))
          continue;
        options.granularity = granularity;
        const auto result = genetic::solve(problem, options, test::device());
        BOOST_TEST(result.checksum == expected.checksum);
        BOOST_TEST(result.restarts == expected.restarts);
        BOOST_TEST(result.generations == expected.generations);
      }
    }
}

BOOST_AUTO_TEST_CASE(threads_and_statistics_do_not_matter) {
  std::vector<std::uint64_t> checksums;
  DeviceOptions device_options;
  device_options.self_test = false;
  for (const unsigned threads : {1U, 2U}) {
    device_options.threads = threads;
    const auto device = open_device("openmp:0", device_options);
    auto options = often_restarted(80);
    checksums.push_back(genetic::solve(few_bits(), options, *device).checksum);
    options.statistics = [](const genetic::Statistics&) {};
    checksums.push_back(genetic::solve(few_bits(), options, *device).checksum);
    options.elites = 0;
    options.statistics = nullptr;
    options.granularity = "fused";
    const auto fused = genetic::solve(few_bits(), options, *device).checksum;
    options.granularity = "group";
    BOOST_TEST(genetic::solve(few_bits(), options, *device).checksum == fused);
  }
  for (const auto checksum : checksums) BOOST_TEST(checksum == checksums[0]);
}

// A resumed run ends as one that never stopped, wherever it stopped; what was kept before a restart too.
BOOST_AUTO_TEST_CASE(a_run_continues_over_restarts, *boost::unit_test::label("device")) {
  const auto problem = few_bits();
  const auto whole = genetic::solve(problem, often_restarted(60), test::device());
  BOOST_TEST(whole.restarts > 2U);
  const test::Folder folder;
  for (std::uint64_t stop = 0; stop < 60; stop += 7) {
    const auto file = folder.path() / "run";
    auto options = often_restarted(stop);
    options.checkpoint = std::make_shared<CheckpointWriter>(file);
    genetic::solve(problem, options, test::device());
    options = often_restarted(60);
    options.resume = std::make_shared<const Checkpoint>(Checkpoint::read(file, "genetic"));
    const auto resumed = genetic::solve(problem, options, test::device());
    BOOST_TEST(resumed.checksum == whole.checksum);
    BOOST_TEST(resumed.fitness == whole.fitness);
    BOOST_TEST(resumed.restarts == whole.restarts);
    BOOST_TEST(resumed.evaluations == whole.evaluations);
  }
}

BOOST_AUTO_TEST_CASE(limits_hold_over_restarts) {
  const auto problem = few_bits();
  for (std::uint64_t limit = 21; limit < 900; limit += 13) {
    auto options = often_restarted(1000);
    options.evaluations = limit;
    const auto result = genetic::solve(problem, options, test::device());
    BOOST_TEST(result.evaluations <= limit);
    BOOST_TEST(result.evaluations + 21 > limit);
    BOOST_TEST((result.ending == Ending::evaluations));
  }
  // Stagnation is of the best ever, whatever was drawn anew since.
  auto options = often_restarted(100000);
  options.stagnation = 30;
  double best = 0;
  std::uint64_t improved = 0;
  options.statistics = [&](const genetic::Statistics& row) {
    if (row.best_so_far > best) improved = row.generation;
    best = row.best_so_far;
  };
  const auto result = genetic::solve(problem, options, test::device());
  BOOST_TEST((result.ending == Ending::stagnation));
  BOOST_TEST(result.generations == improved + 30);
  BOOST_TEST(result.restarts > 0U);
}

// A run by default leaves a local optimum while it has generations left: here all but one genes are of no use, and each
// population begins with less than one chance in two of the rest.
BOOST_AUTO_TEST_CASE(defaults_leave_a_local_optimum) {
  const auto needle = Objective::from_bit_function(
      [](std::span<const std::uint32_t> words, std::size_t) {
        return words[0] == 0x155U ? 0.0 : 1.0 + __builtin_popcount(words[0]);
      },
      "needle");
  genetic::Options options;
  options.population = 8;
  options.mutation = 0;
  options.target = 0;
  options.evaluations = 400000;
  const auto result = genetic::solve({needle, 12, {}, {}}, options, *open_device("openmp:0"));
  BOOST_TEST(result.restarts > 0U);
  BOOST_TEST(result.fitness == 0);
}

BOOST_AUTO_TEST_CASE(presets_fill_in_what_is_left_out) {
  const auto of = [](const char* objective, const genetic::Options& options) {
    return genetic::complete({Objective::named(objective), 50, {}, {}}, options);
  };
  const auto onemax = of("onemax", {});
  BOOST_TEST(onemax.preset == "paper");
  BOOST_TEST(*onemax.population == 128U);
  BOOST_TEST(onemax.selection == "roulette");
  BOOST_TEST(*onemax.crossover == 0.8);
  BOOST_TEST(*onemax.mutation == 0.0001);
  BOOST_TEST(*onemax.elites == 0U);
  BOOST_TEST(*onemax.restart == 0U);
  BOOST_TEST(onemax.improve == "none");
  genetic::Options options;
  options.preset = "paper";
  const auto paper = of("sphere", options);
  BOOST_TEST(paper.crossover_kind == "line");
  BOOST_TEST(paper.mutation_kind == "step");
  BOOST_TEST(*paper.mutation == 1.0 / 50);
  BOOST_TEST(*paper.elites == 0U);
  BOOST_TEST(!paper.step.has_value());
  const auto chosen = of("sphere", {});
  BOOST_TEST(chosen.preset == "auto");
  BOOST_TEST(chosen.selection == "tournament");
  BOOST_TEST(*chosen.elites > 0U);
  BOOST_TEST(*chosen.restart > 0U);
  // What is given by hand wins.
  options.preset = "auto";
  options.selection = "rank";
  options.population = 3;
  options.crossover_kind = "line";
  options.restart = 0;
  const auto given = of("sphere", options);
  BOOST_TEST(given.selection == "rank");
  BOOST_TEST(*given.population == 3U);
  BOOST_TEST(given.crossover_kind == "line");
  BOOST_TEST(*given.restart == 0U);
  BOOST_TEST(*given.elites < 3U);
  // Complete options are complete.
  const auto again = of("sphere", chosen);
  BOOST_TEST(*again.population == *chosen.population);
  BOOST_TEST(again.mutation_kind == chosen.mutation_kind);
}

// The names of a preset are not part of a run: what they choose is.
BOOST_AUTO_TEST_CASE(a_checkpoint_compares_what_was_used) {
  const genetic::Problem problem{Objective::named("sphere"), 4, {}, {}};
  const test::Folder folder;
  genetic::Options options;
  options.generations = 2;
  options.checkpoint = std::make_shared<CheckpointWriter>(folder.path() / "run");
  genetic::solve(problem, options, test::device());
  options = genetic::complete(problem, {});
  options.generations = 3;
  options.resume = std::make_shared<const Checkpoint>(Checkpoint::read(folder.path() / "run", "genetic"));
  BOOST_TEST(genetic::solve(problem, options, test::device()).generations == 3U);
  options.restart = 7;
  BOOST_CHECK_EXCEPTION(genetic::solve(problem, options, test::device()), InvalidInput, [](const InvalidInput& error) {
    return std::string(error.what()).find("`restart`") != std::string::npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()
