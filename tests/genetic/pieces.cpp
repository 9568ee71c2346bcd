/// \file
/// Launches that are pieces of a generation: tours that are left between them, a start tour, costly objectives.
#include <clopt/error.hpp>
#include <clopt/genetic.hpp>
#include <clopt/genetic_problems.hpp>
#include <genetic/launch/engine.hpp>
#include <genetic/plan.hpp>
#include <support/device.hpp>
#include <support/folder.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "cities.hpp"

namespace {

using namespace clopt;

using test::Cities;

template <class Number>
bool is_permutation(std::span<const Number> order) {
  std::vector<std::size_t> sorted(order.begin(), order.end());
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i)
    if (sorted[i] != i) return false;
  return true;
}

/// An engine of a run for tours.
struct TourEngine {
  explicit TourEngine(const Cities& cities)
      : problem(genetic::tour(cities.distances)),
        options(genetic::complete(problem, given())),
        plan(genetic::make_plan(problem, options, {})),
        engine(test::device(), problem, options, plan, genetic::Granularity::thread) {}

  static genetic::Options given() {
    genetic::Options options;
    options.population = 4;
    return options;
  }

  std::uint64_t launches() { return engine.queue().counts().launches; }

  genetic::Problem problem;
  genetic::Options options;
  genetic::Plan plan;
  genetic::Engine<std::uint32_t, float> engine;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(genetic_pieces)

// The first launches have few rounds, whatever the device's speed.
BOOST_AUTO_TEST_CASE(tours_are_improved_in_pieces_and_may_be_left_between_them, *boost::unit_test::label("device")) {
  const Cities cities(500, 11, 9999);
  TourEngine whole(cities);
  std::uint64_t looks = 0;
  whole.engine.call_between_launches([&] { ++looks; });
  whole.engine.start(0);
  BOOST_TEST(looks >= 2U);
  // Drawn, evaluated, improved and summed up.
  BOOST_TEST(whole.launches() == looks + 4);

  TourEngine left(cities);
  std::uint64_t looks_before = 0;
  left.engine.call_between_launches([&] {
    if (++looks_before == 2) throw Cancelled("enough");
  });
  BOOST_CHECK_THROW(left.engine.start(0), Cancelled);
  BOOST_TEST(looks_before == 2U);
  BOOST_TEST(left.launches() == 5U);
  const auto population = left.engine.queue().read_all(left.engine.population());
  const auto costs = left.engine.queue().read_all(left.engine.costs());
  for (std::size_t i = 0; i < 4; ++i) {
    const auto order = std::span<const std::uint32_t>(population).subspan(i * cities.count, cities.count);
    BOOST_TEST(is_permutation(order));
    BOOST_TEST(static_cast<double>(costs[i]) == cities.length(order));
  }
  const auto limits = left.engine.queue().read_all(left.engine.limits());
  BOOST_TEST(limits[GENETIC_BEST] == *std::min_element(costs.begin(), costs.end()));
  BOOST_TEST(*std::max_element(costs.begin(), costs.end()) >
             whole.engine.queue().read_all(whole.engine.limits())[GENETIC_GREATEST]);
}

// A run that is stopped before it begins has the tour of the nearest neighbour, or a better one.
BOOST_AUTO_TEST_CASE(there_is_a_tour_before_any_search, *boost::unit_test::label("device")) {
  const Cities cities(300, 11, 9999);
  const auto expected = cities.nearest_neighbour_length();
  RunControl control;
  control.progress_interval = 0;
  std::vector<double> reported;
  control.progress = [&](const Progress& progress) {
    BOOST_REQUIRE(progress.best);
    BOOST_REQUIRE(is_permutation(progress.best_point));
    BOOST_REQUIRE(*progress.best == cities.length(progress.best_point));
    reported.push_back(*progress.best);
    return false;
  };
  genetic::Options options;
  options.population = 2000;
  const auto result = genetic::solve(genetic::tour(cities.distances), options, test::device(), control);
  BOOST_REQUIRE(!reported.empty());
  BOOST_TEST(reported.front() == expected);
  BOOST_TEST((result.ending == Ending::interrupted));
  BOOST_TEST(result.generations == 0U);
  BOOST_TEST(is_permutation(std::span<const double>(result.genes)));
  BOOST_TEST(result.fitness == cities.length(std::span<const double>(result.genes)));
  BOOST_TEST(result.fitness <= expected);
}

// Progress has the genes of each value also where the device has memory of its own.
BOOST_AUTO_TEST_CASE(no_value_comes_without_its_genes, *boost::unit_test::label("device")) {
  RunControl control;
  control.progress_interval = 0;
  std::size_t calls = 0;
  control.progress = [&](const Progress& progress) {
    ++calls;
    if (progress.best)
      BOOST_TEST(*progress.best == std::accumulate(progress.best_point.begin(), progress.best_point.end(), 0.0));
    return true;
  };
  genetic::Options options;
  options.generations = 300;
  genetic::solve({Objective::named("onemax"), 1024, {}, {}}, options, test::device(), control);
  BOOST_TEST(calls > 1U);
}

// Individuals take so long that the start population would take seconds.
BOOST_AUTO_TEST_CASE(a_start_population_is_left_before_its_end) {
  std::stop_source stop;
  std::atomic<std::uint64_t> calls = 0;
  const auto ones = [](std::span<const std::uint32_t> words) {
    return std::accumulate(words.begin(), words.end(), 0.0,
                           [](double sum, std::uint32_t word) { return sum + word % 977; });
  };
  const auto slow = Objective::from_bit_function([&](std::span<const std::uint32_t> words, std::size_t) {
    if (++calls == 1) stop.request_stop();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return ones(words);
  });
  genetic::Options options;
  options.population = 4096;
  RunControl control;
  control.stop = stop.get_token();
  const auto host = open_device("openmp:0");
  const test::Folder folder;
  options.checkpoint = std::make_shared<CheckpointWriter>(folder.path() / "state");
  const auto result = genetic::solve({slow, 64, {}, {}}, options, *host, control);
  BOOST_TEST((result.ending == Ending::interrupted));
  BOOST_TEST(result.generations == 0U);
  BOOST_TEST(result.evaluations == calls.load());
  BOOST_TEST(result.evaluations < *options.population);
  BOOST_TEST(result.genes.size() == 64U);
  BOOST_TEST(std::isfinite(result.fitness));
  // It is no state to continue from.
  BOOST_TEST(!std::filesystem::exists(folder.path() / "state"));
}

// However long a generation takes, and so however it is divided, its bits are the same.
BOOST_AUTO_TEST_CASE(generations_of_a_costly_objective_are_the_same) {
  const auto objective_of = [](int milliseconds) {
    return Objective::from_bit_function([=](std::span<const std::uint32_t> words, std::size_t) {
      if (milliseconds > 0) std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      return static_cast<double>(words[0] % 977);
    });
  };
  genetic::Options options;
  options.population = 33;
  options.islands = 3;
  options.elites = 2;
  options.migrate_every = 2;
  options.generations = 3;
  options.selection = "tournament";
  DeviceOptions threads;
  threads.threads = 2;
  const auto host = open_device("openmp:0", threads);
  const auto quick = genetic::solve({objective_of(0), 64, {}, {}}, options, *host);
  const auto slow = genetic::solve({objective_of(4), 64, {}, {}}, options, *host);
  BOOST_TEST(slow.checksum == quick.checksum);
  BOOST_TEST(slow.evaluations == quick.evaluations);
  // A launch a generation, and those between, against several launches of each stage.
  BOOST_TEST(slow.launches > quick.launches);
}

BOOST_AUTO_TEST_SUITE_END()
