/// \file
/// How runs begin and end.
#include <clopt/clopt.hpp>
#include <clopt/genetic.hpp>
#include <support/device.hpp>
#include <support/failing_device.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
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
  options.preset = "paper";
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

// A population above what the host reads at a time.
BOOST_AUTO_TEST_CASE(large_populations_are_whole, *boost::unit_test::label("device")) {
  constexpr std::uint32_t genes = 49;
  constexpr std::size_t individuals = 6000;
  const genetic::Problem problem{Objective::named("sphere"), genes, {}, {}};
  genetic::Options options;
  options.preset = "paper";
  options.population = individuals;
  options.generations = 2;
  const auto expected = genetic::solve(problem, options, test::device());
  BOOST_TEST(expected.population.empty());
  options.keep_population = true;
  const auto kept = genetic::solve(problem, options, test::device());
  BOOST_TEST(kept.checksum == expected.checksum);
  BOOST_REQUIRE(kept.population.size() == individuals * genes);
  BOOST_REQUIRE(kept.values.size() == individuals);
  for (std::size_t i = 0; i < individuals; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < genes; ++j) sum += kept.population[i * genes + j] * kept.population[i * genes + j];
    BOOST_TEST(kept.values[i] == sum, boost::test_tools::tolerance(1e-5));
  }
}

BOOST_AUTO_TEST_CASE(a_target_ends_a_run_in_its_generation, *boost::unit_test::label("device")) {
  const auto problem = onemax(200);
  auto options = some_options(200);
  const auto expected =
      first_generation(problem, options, [](const genetic::Statistics& s) { return s.best_so_far <= 70; });
  options.target = 70.5;
  for (const char* granularity : {"group", "gene", "fused"}) {
    options.granularity = granularity;
    const auto result = genetic::solve(problem, options, test::device());
    BOOST_TEST(result.generations == expected);
    BOOST_TEST(result.fitness <= 70);
    BOOST_TEST((result.ending == Ending::target));
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
  BOOST_TEST((watched.ending == Ending::stagnation));
  options.statistics = nullptr;
  for (const char* granularity : {"thread", "fused"}) {
    options.granularity = granularity;
    const auto result = genetic::solve(problem, options, test::device());
    BOOST_TEST(result.generations == watched.generations);
    BOOST_TEST(result.checksum == watched.checksum);
  }
  options.stagnation = 0;
  options.generations = watched.generations + 20;
  BOOST_TEST((genetic::solve(problem, options, test::device()).ending == Ending::generations));
  options.stagnation.reset();
  options.evaluations = 49 * 8 + 48;
  const auto result = genetic::solve(problem, options, test::device());
  BOOST_TEST(result.generations == 7U);
  BOOST_TEST((result.ending == Ending::evaluations));
}

BOOST_AUTO_TEST_CASE(statistics_are_of_the_population) {
  auto options = some_options(9);
  options.keep_population = true;
  options.islands = 2;
  std::vector<genetic::Statistics> reported;
  options.statistics = [&](const genetic::Statistics& s) { reported.push_back(s); };
  const auto result = genetic::solve(onemax(33), options, test::device());
  BOOST_TEST_REQUIRE(reported.size() == 20U);
  for (std::uint32_t island = 0; island < 2; ++island) {
    const auto& last = reported[18 + island];
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

// A run without a limit ends after the default number of generations.
BOOST_AUTO_TEST_CASE(options_of_nothing_run) {
  const auto result = genetic::solve(onemax(3), genetic::Options{}, test::device());
  BOOST_TEST(result.generations == genetic::default_generations);
  BOOST_TEST((result.ending == Ending::generations));
  BOOST_TEST(result.method == "fused");
  BOOST_TEST(result.evaluations == 128 * (genetic::default_generations + 1));
}

BOOST_AUTO_TEST_CASE(a_time_limit_and_a_stop_token_end_a_run) {
  auto options = some_options(1'000'000);
  RunControl control;
  control.time_limit = 0;
  auto result = genetic::solve(onemax(20), options, test::device(), control);
  BOOST_TEST((result.ending == Ending::time));
  BOOST_TEST(result.generations == 0U);
  BOOST_TEST(!result.interrupted());
  std::stop_source source;
  source.request_stop();
  control = {.stop = source.get_token()};
  result = genetic::solve(onemax(20), options, test::device(), control);
  BOOST_TEST((result.ending == Ending::interrupted));
  BOOST_TEST(result.interrupted());
}

// Progress has the best value with its individual; false ends the run.
BOOST_AUTO_TEST_CASE(progress_reports_the_best_and_may_end_the_run) {
  auto options = some_options(1'000'000);
  std::vector<double> bests;
  std::vector<std::size_t> sizes;
  std::size_t wrong = 0;
  double done = -1;
  RunControl control;
  control.progress_interval = 0;
  control.progress = [&](const Progress& progress) {
    BOOST_TEST_REQUIRE(progress.best.has_value());
    if (progress.done < done) ++wrong;
    done = progress.done;
    bests.push_back(*progress.best);
    sizes.push_back(progress.best_point.size());
    if (!progress.best_point.empty() &&
        static_cast<double>(std::count(progress.best_point.begin(), progress.best_point.end(), 1.0)) != *progress.best)
      ++wrong;
    return bests.size() < 4;
  };
  const auto result = genetic::solve(onemax(90), options, test::device(), control);
  BOOST_TEST((result.ending == Ending::interrupted));
  BOOST_TEST(bests.size() == 4U);
  BOOST_TEST(bests.back() == result.fitness);
  BOOST_TEST(std::is_sorted(bests.rbegin(), bests.rend()));
  BOOST_TEST(wrong == 0U);
  BOOST_TEST(sizes == std::vector<std::size_t>(4, 90), boost::test_tools::per_element());
  BOOST_TEST(result.generations > 0U);
  // What was reached is what a run of that many generations reaches.
  BOOST_TEST(result.checksum == genetic::solve(onemax(90), some_options(result.generations), test::device()).checksum);
}

// A launch begins with one generation, so that a function that takes long is not called more often than that.
BOOST_AUTO_TEST_CASE(a_slow_function_can_be_stopped_between_generations) {
  std::atomic<int> calls = 0;
  const genetic::Problem problem{Objective::from_bit_function([&](std::span<const std::uint32_t> words, std::size_t) {
                                   ++calls;
                                   return static_cast<double>(words[0]);
                                 }),
                                 20,
                                 {},
                                 {}};
  genetic::Options options;
  options.preset = "paper";
  options.population = 10;
  options.generations = 1'000'000;
  RunControl control;
  // Any call is a long one.
  control.progress_interval = 0;
  int reported = 0;
  control.progress = [&](const Progress&) { return ++reported < 4; };
  const auto host = open_device("openmp:0");
  const auto result = genetic::solve(problem, options, *host, control);
  BOOST_TEST(result.generations == 3U);
  BOOST_TEST(calls == 10 * 4);
}

BOOST_AUTO_TEST_CASE(no_device_is_refused) {
  BOOST_CHECK_EXCEPTION(genetic::solve(onemax(5), some_options(1), std::span<const std::shared_ptr<Device>>()),
                        InvalidInput, [](const InvalidInput& error) {
                          return std::string(error.what()) == "`devices` is empty; give at least one device to run on";
                        });
  const std::vector<std::shared_ptr<Device>> devices{open_device("openmp:0"), nullptr};
  BOOST_CHECK_EXCEPTION(genetic::solve(onemax(5), some_options(1), devices), InvalidInput,
                        [](const InvalidInput& error) {
                          return std::string(error.what()).find("null pointer, number 2 of 2") != std::string::npos;
                        });
}

// Where a device is lost, the next one restarts; statistics are not reported twice.
BOOST_AUTO_TEST_CASE(another_device_continues_where_one_fails) {
  const auto problem = onemax(60);
  auto options = some_options(12);
  const auto expected = genetic::solve(problem, options, test::device());
  BOOST_TEST(expected.failures.empty());
  std::vector<std::uint64_t> reported;
  options.statistics = [&](const genetic::Statistics& row) { reported.push_back(row.generation); };
  for (const int launches : {test::FailingDevice::from_the_start, 0, 9}) {
    reported.clear();
    const std::vector<std::shared_ptr<Device>> devices{std::make_shared<test::FailingDevice>(launches),
                                                       open_device("openmp:0")};
    const auto result = genetic::solve(problem, options, devices);
    BOOST_TEST(result.checksum == expected.checksum);
    BOOST_TEST_REQUIRE(result.failures.size() == 1U);
    BOOST_TEST(result.failures[0].find("openmp:0: the device is gone") == 0U);
    BOOST_TEST_REQUIRE(reported.size() == 13U);
    for (std::uint64_t generation = 0; generation <= 12; ++generation) BOOST_TEST(reported[generation] == generation);
    BOOST_CHECK_THROW(genetic::solve(problem, options, std::span(devices).first(1)), DeviceError);
  }
}

// Also where it fails during a report.
BOOST_AUTO_TEST_CASE(statistics_are_reported_once_where_a_device_works_ahead) {
  const auto problem = onemax(60);
  auto options = some_options(300);
  options.elites = 1;
  std::vector<genetic::Statistics> rows;
  options.statistics = [&](const genetic::Statistics& row) { rows.push_back(row); };
  const auto expected = genetic::solve(problem, options, test::device());
  const auto expected_rows = std::exchange(rows, {});
  BOOST_TEST_REQUIRE(expected_rows.size() == 301U);
  const auto require_first = [&](std::size_t at_least) {
    BOOST_TEST_REQUIRE(rows.size() >= at_least);
    BOOST_TEST_REQUIRE(rows.size() <= expected_rows.size());
    for (std::size_t n = 0; n < rows.size(); ++n) {
      const auto& row = rows[n];
      const auto& other = expected_rows[n];
      BOOST_TEST(row.generation == other.generation);
      BOOST_TEST(row.evaluations == other.evaluations);
      BOOST_TEST(row.best == other.best);
      BOOST_TEST(row.best_so_far == other.best_so_far);
      BOOST_TEST(row.mean == other.mean);
      BOOST_TEST(row.worst == other.worst);
      BOOST_TEST(row.distinct == other.distinct);
    }
  };
  std::size_t failures = 0;
  for (const int launches : {0, 1, 20, 100, 200, 400, 1 << 20}) {
    rows.clear();
    const std::vector<std::shared_ptr<Device>> devices{std::make_shared<test::FailingAhead>(launches),
                                                       open_device("openmp:0")};
    const auto result = genetic::solve(problem, options, devices);
    BOOST_TEST(result.checksum == expected.checksum);
    require_first(expected_rows.size());
    failures += result.failures.size();
    if (result.failures.empty()) continue;
    rows.clear();
    BOOST_CHECK_THROW(genetic::solve(problem, options, *std::make_shared<test::FailingAhead>(launches)), DeviceError);
    // The first launch has eight generations, which are reported though the second one does not begin.
    require_first(launches >= 100 ? 9 : 0);
  }
  BOOST_TEST(failures > 2U);
  // The target is reached in the middle of a launch.
  options.target = expected_rows[100].best_so_far;
  rows.clear();
  const auto reached = genetic::solve(problem, options, *std::make_shared<test::FailingAhead>(1 << 20));
  BOOST_TEST(reached.generations > 8U);
  BOOST_TEST(reached.generations <= 100U);
  BOOST_TEST((rows.back().best_so_far <= *options.target));
  require_first(reached.generations + 1);
  BOOST_TEST(rows.size() == reached.generations + 1);
}

// A maximised objective is the negative of a minimised one.
BOOST_AUTO_TEST_CASE(maximising_is_honoured) {
  auto most = Objective::named("onemax");
  most.set_direction(Direction::maximise);
  auto options = some_options(60);
  options.keep_population = true;
  const auto result = genetic::solve({most, 60, {}, {}}, options, test::device());
  BOOST_TEST(result.fitness == std::count(result.genes.begin(), result.genes.end(), 1.0));
  BOOST_TEST(result.fitness >= *std::max_element(result.values.begin(), result.values.end()));
  BOOST_TEST(result.fitness > 45);
}

BOOST_AUTO_TEST_SUITE_END()
