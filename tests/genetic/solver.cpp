/// \file
/// How runs begin, end and go on.
#include <clopt/checkpoint.hpp>
#include <clopt/clopt.hpp>
#include <clopt/genetic.hpp>
#include <support/device.hpp>
#include <support/folder.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace clopt;

genetic::Problem onemax(std::uint32_t genes) { return {Objective::named("onemax"), genes, {}, {}}; }

genetic::Options some_options(std::uint64_t generations) {
  genetic::Options options;
  options.population = 49;
  options.generations = generations;
  options.granularity = "group";
  return options;
}

// How long a run of single generations takes to see a condition.
std::uint64_t first_generation(const genetic::Problem& problem, genetic::Options options,
                               const std::function<bool(const genetic::Statistics&)>& condition) {
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
  options.statistics = [&](const genetic::Statistics& statistics) {
    if (condition(statistics)) first = std::min(first, statistics.generation);
  };
  genetic::solve(problem, options, test::device());
  return first;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(genetic_solver)

BOOST_AUTO_TEST_CASE(a_target_ends_a_run_in_its_generation, *boost::unit_test::label("device")) {
  const auto problem = onemax(200);
  auto options = some_options(200);
  const auto expected =
      first_generation(problem, options, [](const genetic::Statistics& s) { return s.best_so_far <= 70; });
  options.target = 70.5;
  for (const char* granularity : {"group", "fused"}) {
    options.granularity = granularity;
    const auto result = genetic::solve(problem, options, test::device());
    BOOST_TEST(result.generations == expected);
    BOOST_TEST(result.target_reached);
    BOOST_TEST(result.fitness <= 70);
    BOOST_TEST((result.ending == genetic::Ending::target));
    BOOST_TEST(result.evaluations == 49 * (expected + 1));
  }
}

BOOST_AUTO_TEST_CASE(stagnation_and_evaluations_end_a_run) {
  const auto problem = onemax(20);
  auto options = some_options(100000);
  options.stagnation = 30;
  std::uint64_t improved = 0;
  double best = std::numeric_limits<double>::infinity();
  options.statistics = [&](const genetic::Statistics& s) {
    if (s.best_so_far < best) improved = s.generation;
    best = s.best_so_far;
  };
  const auto watched = genetic::solve(problem, options, test::device());
  BOOST_TEST(watched.generations == improved + 30);
  BOOST_TEST((watched.ending == genetic::Ending::stagnation));
  options.statistics = nullptr;
  for (const char* granularity : {"thread", "fused"}) {
    options.granularity = granularity;
    const auto result = genetic::solve(problem, options, test::device());
    BOOST_TEST(result.generations == watched.generations);
    BOOST_TEST(result.checksum == watched.checksum);
  }
  options.stagnation.reset();
  options.evaluations = 49 * 8 + 48;
  const auto result = genetic::solve(problem, options, test::device());
  BOOST_TEST(result.generations == 7U);
  BOOST_TEST((result.ending == genetic::Ending::evaluations));
}

BOOST_AUTO_TEST_CASE(statistics_are_of_the_population) {
  auto options = some_options(9);
  options.keep_population = true;
  options.islands = 2;
  std::vector<genetic::Statistics> told;
  options.statistics = [&](const genetic::Statistics& s) { told.push_back(s); };
  const auto result = genetic::solve(onemax(33), options, test::device());
  BOOST_TEST_REQUIRE(told.size() == 20U);
  for (std::uint32_t island = 0; island < 2; ++island) {
    const auto& last = told[18 + island];
    const std::vector<double> own(result.values.begin() + island * 49, result.values.begin() + (island + 1) * 49);
    BOOST_TEST(last.generation == 9U);
    BOOST_TEST(last.evaluations == 2 * 49 * 10U);
    BOOST_TEST(last.best == *std::min_element(own.begin(), own.end()));
    BOOST_TEST(last.worst == *std::max_element(own.begin(), own.end()));
    double sum = 0;
    for (const double value : own) sum += value;
    BOOST_TEST(last.mean == sum / 49);
    BOOST_TEST(last.distinct == std::set<double>(own.begin(), own.end()).size());
  }
}

BOOST_AUTO_TEST_CASE(a_run_goes_on_as_if_it_had_never_stopped, *boost::unit_test::label("device")) {
  const test::Folder folder;
  const auto problem = onemax(200);
  auto options = some_options(14);
  options.elites = 3;
  const auto whole = genetic::solve(problem, options, test::device());
  CheckpointWriter writer(folder.path() / "run", "genetic", "{}");
  options.generations = 6;
  options.checkpoint = &writer;
  options.granularity = "fused";
  genetic::solve(problem, options, test::device());
  const auto checkpoint = Checkpoint::read(folder.path() / "run", "genetic");
  options.checkpoint = nullptr;
  options.resume = &checkpoint;
  options.generations = 14;
  options.granularity = "group";
  const auto resumed = genetic::solve(problem, options, test::device());
  BOOST_TEST(resumed.checksum == whole.checksum);
  BOOST_TEST(resumed.generations == 14U);
  BOOST_TEST(resumed.evaluations == whole.evaluations);
  options.seed = 2;
  BOOST_CHECK_THROW(genetic::solve(problem, options, test::device()), InvalidInput);
}

BOOST_AUTO_TEST_CASE(threads_do_not_matter) {
  DeviceOptions device_options;
  device_options.self_test = false;
  auto options = some_options(3);
  options.population = 3001;
  options.granularity = "fused";
  std::set<std::uint64_t> checksums;
  for (const unsigned threads : {1U, 2U, 5U}) {
    device_options.threads = threads;
    checksums.insert(genetic::solve(onemax(1000), options, *open_device("openmp:0", device_options)).checksum);
  }
  BOOST_TEST(checksums.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_function_is_an_objective) {
  const genetic::Problem problem{Objective::from_bit_function([](std::span<const std::uint32_t> words, std::size_t) {
                                   int sum = 0;
                                   for (const auto word : words) sum += __builtin_popcount(word);
                                   return double(sum);
                                 }),
                                 50,
                                 {},
                                 {}};
  auto options = some_options(40);
  options.keep_population = true;
  const auto result = genetic::solve(problem, options, test::device());
  BOOST_TEST(result.fitness == std::count(result.genes.begin(), result.genes.end(), 1.0));
  BOOST_TEST(result.fitness < 12);
}

BOOST_AUTO_TEST_CASE(bad_input_is_refused) {
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::function<void(genetic::Problem&, genetic::Options&)>> faults = {
      [](auto& problem, auto&) { problem.genes = 0; },
      [](auto&, auto& options) { options.population = 0; },
      [](auto&, auto& options) { options.population = 1; },
      [](auto&, auto& options) { options.crossover = 2; },
      [&](auto&, auto& options) { options.crossover = nan; },
      [](auto&, auto& options) { options.mutation = -0.1; },
      [&](auto&, auto& options) { options.mutation = nan; },
      [](auto&, auto& options) { options.individuals_per_group = 0; },
      [](auto&, auto& options) { options.individuals_per_group = 33; },
      [](auto&, auto& options) { options.elites = 49; },
      [](auto&, auto& options) { options.islands = 0; },
      [](auto&, auto& options) { options.migrants = 25; },
      [](auto&, auto& options) { options.selection = "lottery"; },
      [](auto&, auto& options) { options.crossover_kind = "line"; },
      [](auto&, auto& options) { options.mutation_kind = "gaussian"; },
      [](auto&, auto& options) { options.granularity = "warp"; },
      [](auto&, auto& options) { options.precision = "half"; },
      [](auto&, auto& options) { options.tournament = 0; },
      [&](auto&, auto& options) { options.rank_pressure = nan; },
      [&](auto&, auto& options) { options.target = nan; },
      [](auto&, auto& options) { options.stagnation = 0; },
      [](auto&, auto& options) { options.evaluations = 48; },
      [](auto&, auto& options) { options.generations.reset(); },
      [](auto&, auto& options) {
        options.initial = {0, 1, 1};
      },
      [](auto&, auto& options) { options.initial.assign(20, 2.0); },
      [](auto& problem, auto&) { problem.lower = {0}; },
      [](auto& problem, auto&) {
        problem = {Objective::named("sphere"), 5, {3}, {2}};
      },
      [](auto& problem, auto&) {
        problem = {Objective::named("sphere"), 5, {1, 2}, {3}};
      }};
  std::size_t number = 0;
  for (const auto& fault : faults) {
    auto problem = onemax(20);
    auto options = some_options(1);
    fault(problem, options);
    BOOST_TEST_CONTEXT("fault " << number++)
    BOOST_CHECK_THROW(genetic::solve(problem, options, test::device()), InvalidInput);
  }
}

BOOST_AUTO_TEST_SUITE_END()
