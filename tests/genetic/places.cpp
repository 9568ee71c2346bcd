/// \file
/// Tours of cities by their places: lists of near cities, the search by segments, and what a run that ends early has,
/// against plain programs.
#include <clopt/clopt.hpp>
#include <clopt/genetic_problems.hpp>
#include <clopt/genetic_tours.hpp>
#include <support/device.hpp>
#include <support/folder.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cities.hpp"
#include "refusal.hpp"

namespace {

using namespace clopt;

/// Coordinates of cities, some of which share their place; by a seed, which is printed.
std::vector<double> places_of(std::size_t cities, unsigned seed, int greatest = 9999) {
  BOOST_TEST_MESSAGE("places of seed " << seed);
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> place(0, greatest);
  std::vector<double> places(2 * cities);
  for (auto& each : places) each = place(random);
  for (std::size_t city = 7; city < cities; city += 7) {
    places[2 * city] = places[2 * city - 2];
    places[2 * city + 1] = places[2 * city - 1];
  }
  return places;
}

double apart(const std::vector<double>& places, std::size_t a, std::size_t b) {
  return std::round(std::hypot(places[2 * a] - places[2 * b], places[2 * a + 1] - places[2 * b + 1]));
}

double length_of(const std::vector<double>& places, const std::vector<std::size_t>& order) {
  double sum = 0;
  for (std::size_t i = 0; i < order.size(); ++i) sum += apart(places, order[i], order[(i + 1) % order.size()]);
  return sum;
}

std::vector<std::size_t> order_of(const std::vector<double>& genes) { return {genes.begin(), genes.end()}; }

double shortest(const std::vector<double>& places) {
  std::vector<std::size_t> order(places.size() / 2);
  std::iota(order.begin(), order.end(), std::size_t{0});
  double best = length_of(places, order);
  while (std::next_permutation(order.begin() + 1, order.end())) best = std::min(best, length_of(places, order));
  return best;
}

genetic::Options ended_after(std::uint64_t generations) {
  genetic::Options options;
  options.generations = generations;
  return options;
}

genetic::Result solve(const std::vector<double>& places, const genetic::Options& options) {
  return genetic::solve(genetic::tour_at(places), options, test::device());
}

using test::refusal;

bool has_long_loops() { return test::device().has_long_loops(); }

}  // namespace

BOOST_AUTO_TEST_SUITE(genetic_places)

// Of equally near cities any may be in the list: their lengths are those of all cities, sorted.
BOOST_AUTO_TEST_CASE(near_cities_are_the_nearest) {
  for (const std::size_t count : {3U, 4U, 11U, 12U, 49U, 1500U})
    for (const int greatest : {0, 5, 9999}) {
      const auto places = places_of(count, static_cast<unsigned>(count), greatest);
      const auto problem = genetic::tour_at(places);
      const auto& table = problem.objective.table_values();
      const std::size_t near = std::min<std::size_t>(10, count - 1);
      BOOST_REQUIRE(table.size() == 1 + 2 * count + near * count);
      for (std::size_t city = 0; city < count; city += std::max<std::size_t>(1, count / 50)) {
        std::vector<double> all;
        for (std::size_t other = 0; other < count; ++other)
          if (other != city) all.push_back(apart(places, city, other));
        std::sort(all.begin(), all.end());
        std::vector<std::size_t> listed;
        for (std::size_t k = 0; k < near; ++k) {
          listed.push_back(static_cast<std::size_t>(table[1 + 2 * count + city * near + k]));
          BOOST_TEST(listed.back() != city);
          BOOST_TEST(apart(places, city, listed.back()) == all[k]);
        }
        std::sort(listed.begin(), listed.end());
        BOOST_TEST((std::adjacent_find(listed.begin(), listed.end()) == listed.end()));
      }
    }
}

BOOST_AUTO_TEST_CASE(small_tours_are_the_shortest, *boost::unit_test::label("device")) {
  if (!has_long_loops()) return;
  for (const std::size_t count : {3U, 4U, 5U, 7U, 8U})
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const auto places = places_of(count, 100 * static_cast<unsigned>(count) + seed, 99);
      const auto result = solve(places, ended_after(3));
      BOOST_TEST(result.fitness == shortest(places));
      BOOST_TEST(length_of(places, order_of(result.genes)) == result.fitness);
    }
}

// Sizes around the segments' one, whose last and first city are those of two segments.
BOOST_AUTO_TEST_CASE(each_generation_has_shorter_tours, *boost::unit_test::label("device")) {
  if (!has_long_loops()) return;
  for (const std::size_t count : {49U, 1000U, 1001U, 2001U}) {
    const auto places = places_of(count, static_cast<unsigned>(count));
    auto options = ended_after(3);
    options.population = 2;
    options.keep_population = true;
    std::vector<double> best;
    options.statistics = [&](const genetic::Statistics& each) { best.push_back(each.best_so_far); };
    const auto result = solve(places, options);
    BOOST_REQUIRE(best.size() == 4U);
    BOOST_TEST(std::is_sorted(best.rbegin(), best.rend()));
    BOOST_TEST(best.back() < best.front());
    BOOST_TEST(best.back() == result.fitness);
    const auto tours = test::tours_of<std::size_t>(result, count);
    BOOST_REQUIRE(tours.size() == 2U);
    for (std::size_t i = 0; i < 2; ++i) {
      BOOST_TEST(test::is_tour(tours[i]));
      BOOST_TEST(length_of(places, tours[i]) == result.values[i]);
    }
    BOOST_TEST((tours[0] != tours[1]));
  }
}

// The bits are those of any division into devices' islands, of a run that is resumed, and of a single tour.
BOOST_AUTO_TEST_CASE(tours_do_not_depend_on_others, *boost::unit_test::label("device")) {
  if (!has_long_loops()) return;
  const auto places = places_of(1501, 5);
  auto options = ended_after(2);
  options.keep_population = true;
  options.islands = 3;
  const auto islands = solve(places, options);
  options.islands = 1;
  options.population = 3;
  const auto together = solve(places, options);
  BOOST_TEST(islands.population == together.population);
  options.population = 1;
  const auto alone = solve(places, options);
  BOOST_TEST((std::equal(alone.population.begin(), alone.population.end(), together.population.begin())));

  const test::Folder folder;
  auto first = ended_after(1);
  first.checkpoint = std::make_shared<CheckpointWriter>(folder.path() / "run");
  solve(places, first);
  auto second = ended_after(2);
  second.resume = std::make_shared<const Checkpoint>(Checkpoint::read(folder.path() / "run", ""));
  second.keep_population = true;
  BOOST_TEST(solve(places, second).population == alone.population);
}

// A generation that is left is not lost: its tour is the result, but no state to continue from.
BOOST_AUTO_TEST_CASE(a_run_that_ends_within_a_generation_has_its_tour, *boost::unit_test::label("device")) {
  if (!has_long_loops()) return;
  const auto places = places_of(30000, 9, 99999);
  const auto problem = genetic::tour_at(places);
  const auto start = genetic::solve(problem, ended_after(0), test::device()).fitness;
  RunControl control;
  control.progress_interval = 0;
  std::uint64_t reports = 0;
  control.progress = [&](const Progress&) { return ++reports < 4; };
  const auto result = genetic::solve(problem, ended_after(100), test::device(), control);
  BOOST_TEST(result.generations < 100U);
  BOOST_TEST((result.ending == Ending::interrupted));
  BOOST_TEST(result.fitness <= start);
  BOOST_TEST(length_of(places, order_of(result.genes)) == result.fitness);
  BOOST_TEST(test::is_tour(order_of(result.genes)));
}

BOOST_AUTO_TEST_CASE(files_of_many_cities_are_read, *boost::unit_test::label("device")) {
  if (!has_long_loops()) return;
  const test::Folder folder;
  const auto places = places_of(1600, 3);
  const auto write = [&](const std::string& name, const std::string& heading, bool is_numbered) {
    std::ofstream file(folder.path() / name);
    file << heading;
    for (std::size_t city = 0; city < 1600; ++city) {
      if (is_numbered)
        file << city + 1 << ' ' << places[2 * city] << ' ' << places[2 * city + 1] << '\n';
      else
        file << places[2 * city] << ',' << places[2 * city + 1] << '\n';
    }
    return folder.path() / name;
  };
  const auto csv = genetic::read_cities(write("cities.csv", "x,y\n", false));
  BOOST_TEST(csv.distances.empty());
  const auto round = genetic::make_tour(csv);
  BOOST_TEST(round.problem.objective.table_values().size() < 1600U * 20U);
  const auto result = genetic::solve(round.problem, ended_after(1), test::device());
  const auto route = genetic::route_of(round.problem, round.ends, result.genes);
  BOOST_TEST(route.length == result.fitness);
  BOOST_TEST(route.length == length_of(places, {route.cities.begin(), route.cities.end()}));
  // An open trip has a table of distances, as a directed tour has.
  genetic::TourOptions open;
  open.open = true;
  BOOST_TEST(genetic::make_tour(csv, open).problem.objective.table_values().size() > 1600U * 1600U);

  const std::string heading = "TYPE: TSP\nDIMENSION: 1600\nEDGE_WEIGHT_TYPE: CEIL_2D\nNODE_COORD_SECTION\n";
  const auto ceiled = genetic::make_tour(genetic::read_cities(write("cities.tsp", heading, true)));
  const auto up = genetic::solve(ceiled.problem, ended_after(1), test::device());
  double sum = 0;
  for (std::size_t i = 0; i < 1600; ++i) {
    const auto a = static_cast<std::size_t>(up.genes[i]);
    const auto b = static_cast<std::size_t>(up.genes[(i + 1) % 1600]);
    sum += std::ceil(std::hypot(places[2 * a] - places[2 * b], places[2 * a + 1] - places[2 * b + 1]));
  }
  BOOST_TEST(sum == up.fitness);
}

BOOST_AUTO_TEST_CASE(what_does_not_go_together_is_refused) {
  const auto by_places = genetic::tour_at(places_of(20, 1));
  const auto by_table = genetic::tour(test::Cities(20, 1).distances);
  auto options = ended_after(1);
  options.improve = "two-opt";
  BOOST_TEST(refusal(by_places, options).find("needs a table of all distances") != std::string::npos);
  options.improve = "iterated";
  BOOST_TEST(refusal(by_table, options).find("which is for round trips of more than 1500 cities") != std::string::npos);
  options = ended_after(1);
  options.selection = "rank";
  BOOST_TEST(refusal(by_places, options).find("`selection` is rank, and `improve` is 'iterated'") != std::string::npos);
  options = ended_after(1);
  options.population = 1;
  BOOST_TEST(refusal(by_table, options).find("`population` is 1, of which nothing can be bred") != std::string::npos);
  options = ended_after(1);
  options.precision = "float";
  BOOST_TEST(refusal(by_places, options).find("are computed in doubles") != std::string::npos);
  BOOST_CHECK_THROW(genetic::tour_at(std::vector<double>{0, 0, 1}), InvalidInput);
  BOOST_CHECK_THROW(genetic::tour_at(std::vector<double>{0, 0, 1, 1e300, 2, 2}), InvalidInput);
  BOOST_CHECK_THROW(genetic::tour_at(std::vector<double>{0, 0, 1, NAN, 2, 2}), InvalidInput);
}

// Kernels take them as indexes and lengths.
BOOST_AUTO_TEST_CASE(tables_that_were_altered_are_refused) {
  const auto refuses = [](std::size_t place, double value) {
    auto problem = genetic::tour_at(places_of(20, 1));
    auto table = problem.objective.table_values();
    table[place] = value;
    problem.objective.set_table_values(table);
    return refusal(problem, ended_after(1)).find("give the tour again") != std::string::npos;
  };
  for (const double metric : {0.0, 2.5, 3.0, -1.0}) BOOST_TEST(refuses(0, metric));
  for (const double place : {1e300, -0x1.1p27, std::nan("")}) BOOST_TEST(refuses(5, place));
  for (const double near : {-1.0, 20.0}) BOOST_TEST(refuses(41, near));
  auto matrix = genetic::tour(test::Cities(20, 1).distances);
  auto table = matrix.objective.table_values();
  table[0] = 1;
  matrix.objective.set_table_values(table);
  BOOST_TEST(refusal(matrix, ended_after(1)).find("give the tour again") != std::string::npos);
}

// A tour of 100,000 cities in any order would be longer than whole numbers of 32 bits.
BOOST_AUTO_TEST_CASE(tours_that_are_too_long_are_refused) {
  const std::size_t count = 3000;
  std::vector<double> places(2 * count);
  for (std::size_t city = 0; city < count; ++city) places[2 * city] = static_cast<double>(city) * 30000;
  const auto problem = genetic::tour_at(places);
  auto options = ended_after(1);
  options.improve = "none";
  BOOST_TEST(refusal(problem, options).find("pass 2^31; give places in a larger unit") != std::string::npos);
  options = ended_after(1);
  // The shortest tour of such a grid has 10,000 ways of 2,600,000.
  std::vector<double> grid;
  for (int city = 0; city < 10000; ++city) {
    grid.push_back(2600000 * (city % 100 - 50));
    grid.push_back(2600000 * (city / 100 - 50));
  }
  BOOST_TEST(refusal(genetic::tour_at(grid), options).find("a tour of the shortest edges is") != std::string::npos);
  // From one end to the other and back.
  for (std::size_t i = 0; i < count; ++i)
    options.initial.push_back(static_cast<double>(i % 2 == 0 ? i / 2 : count - 1 - i / 2));
  BOOST_TEST(refusal(problem, options).find("tour 1 of `initial` is") != std::string::npos);
}

// The start tour of the shortest edges is better than a bad one that is given, and remains the result.
BOOST_AUTO_TEST_CASE(a_run_that_is_left_early_is_no_worse_than_its_start, *boost::unit_test::label("device")) {
  if (!has_long_loops()) return;
  const auto places = places_of(20000, 4, 9999);
  const auto problem = genetic::tour_at(places);
  auto options = ended_after(9);
  for (std::size_t city = 0; city < 20000; ++city) options.initial.push_back(static_cast<double>(city));
  RunControl control;
  control.progress_interval = 0;
  std::uint64_t reports = 0;
  control.progress = [&](const Progress&) { return ++reports < 3; };
  const auto result = genetic::solve(problem, options, test::device(), control);
  BOOST_TEST(result.fitness <= genetic::solve(problem, ended_after(0), test::device()).fitness);
  BOOST_TEST(length_of(places, order_of(result.genes)) == result.fitness);
}

// Cities that have no lengths, and others than Euclidean ones.
BOOST_AUTO_TEST_CASE(lengths_are_those_that_were_asked_for) {
  auto places = places_of(1600, 3, 89);
  auto geographical = genetic::cities_at(places, true);
  BOOST_TEST(geographical.distances.size() == 1600U * 1600U);
  const auto tour = genetic::make_tour(std::move(geographical));
  BOOST_CHECK_THROW(genetic::make_tour(tour.cities), InvalidInput);
  const test::Folder folder;
  const auto file = folder.path() / "tour.tsp";
  std::ofstream(file) << "TYPE: TSP\nDIMENSION: 4000000\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\n"
                         "EDGE_WEIGHT_SECTION\n0 1 1\n";
  BOOST_CHECK_EXCEPTION(genetic::read_cities(file), InvalidInput, [](const InvalidInput& error) {
    return std::string(error.what()).find("there may be 20000 cities") != std::string::npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()
