/// \file
/// Tours whose distances may be others on the way back, and open ones, against every move and every trip, tried one by
/// one.
#include <clopt/clopt.hpp>
#include <clopt/genetic_problems.hpp>
#include <clopt/genetic_tours.hpp>
#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "cities.hpp"

namespace {

using namespace clopt;
using Order = std::vector<std::size_t>;
using test::drawn_only;
using test::tours_of;

/// Distances from each city to each other one, drawn by a seed.
struct Matrix {
  Matrix(std::size_t count, unsigned seed, bool is_symmetric = false) : count(count), distances(count * count) {
    BOOST_TEST_MESSAGE("a matrix of seed " << seed);
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> drawn(1, 99);
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = 0; b < count; ++b)
        distances[a * count + b] = is_symmetric && b < a ? distances[b * count + a] : drawn(random);
  }
  double from(std::size_t a, std::size_t b) const { return distances[a * count + b]; }
  double length(const Order& order, bool is_open = false) const {
    double sum = is_open ? 0 : from(order.back(), order.front());
    for (std::size_t i = 0; i + 1 < order.size(); ++i) sum += from(order[i], order[i + 1]);
    return sum;
  }
  /// Whether b is one of the ten cities that are nearest behind a; or before it.
  bool is_near(std::size_t a, std::size_t b, bool behind) const {
    const auto apart = [&](std::size_t c) { return behind ? from(a, c) : from(c, a); };
    std::size_t nearer = 0;
    for (std::size_t c = 0; c < count; ++c)
      if (c != a && c != b && (apart(c) < apart(b) || (apart(c) == apart(b) && c < b))) ++nearer;
    return nearer < 10;
  }

  std::size_t count;
  std::vector<double> distances;
};

Order rotated(const Order& order, std::size_t begin) {
  auto turned = order;
  std::rotate(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(begin), turned.end());
  return turned;
}

// Parts that are turned around, of any length. One is searched where a new edge at one of its ends, which joins near
// cities, is shorter than the one that it replaces there.
std::size_t improving_two_opt_moves(const Matrix& matrix, const Order& order) {
  std::size_t found = 0;
  for (std::size_t begin = 0; begin < order.size(); ++begin)
    for (std::size_t size = 2; size < order.size(); ++size) {
      auto other = rotated(order, begin);
      const auto p = other.front();
      const auto q = other[size - 1];
      const auto y = other[size];
      const auto x = other.back();
      std::reverse(other.begin(), other.begin() + static_cast<std::ptrdiff_t>(size));
      if (matrix.length(other) >= matrix.length(order)) continue;
      const bool is_searched = (matrix.is_near(x, q, true) && matrix.from(x, q) < matrix.from(x, p)) ||
                               (matrix.is_near(q, x, false) && matrix.from(x, q) < matrix.from(q, y)) ||
                               (matrix.is_near(y, p, false) && matrix.from(p, y) < matrix.from(q, y)) ||
                               (matrix.is_near(p, y, true) && matrix.from(p, y) < matrix.from(x, p));
      if (is_searched) ++found;
    }
  return found;
}

// Segments of up to three cities at every other place, either way round. One is searched where a new edge at one of its
// ends, which joins near cities, is shorter than what is gained where it was.
std::size_t improving_or_opt_moves(const Matrix& matrix, const Order& order) {
  std::size_t found = 0;
  for (std::size_t size = 1; size <= 3 && size + 2 <= order.size(); ++size)
    for (std::size_t begin = 0; begin < order.size(); ++begin) {
      const auto turned = rotated(order, begin);
      const auto cut = turned.begin() + static_cast<std::ptrdiff_t>(size);
      const Order segment(turned.begin(), cut);
      const Order rest(cut, turned.end());
      const double inside = matrix.length(segment, true);
      const double removed = matrix.from(rest.back(), segment.front()) + matrix.from(segment.back(), rest.front()) -
                             matrix.from(rest.back(), rest.front());
      for (std::size_t place = 1; place < rest.size(); ++place)
        for (const bool reversed : {false, true}) {
          auto moved = segment;
          if (reversed) std::reverse(moved.begin(), moved.end());
          auto other = rest;
          other.insert(other.begin() + static_cast<std::ptrdiff_t>(place), moved.begin(), moved.end());
          if (matrix.length(other) >= matrix.length(order)) continue;
          const double gained = removed + inside - matrix.length(moved, true);
          const auto left = rest[place - 1];
          const auto right = rest[place];
          const auto has = [&](std::size_t city, std::size_t near, bool behind) {
            return matrix.is_near(city, near, behind) &&
                   gained > (behind ? matrix.from(city, near) : matrix.from(near, city));
          };
          if (has(moved.front(), left, false) || has(moved.back(), right, true)) ++found;
        }
    }
  return found;
}

// All that a trip may be, one after the other. \returns the least length.
double shortest(const Matrix& matrix, std::optional<std::size_t> start, std::optional<std::size_t> end, bool is_open) {
  Order order(matrix.count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  double least = 1e300;
  do {
    if ((start && order.front() != *start) || (end && order.back() != *end)) continue;
    least = std::min(least, matrix.length(order, is_open));
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

genetic::TourOptions trip_of(std::optional<std::size_t> start, std::optional<std::size_t> end, bool is_open) {
  genetic::TourOptions trip;
  if (start) trip.start = std::to_string(*start + 1);
  if (end) trip.end = std::to_string(*end + 1);
  trip.open = is_open;
  return trip;
}

// Whether a device has the local search; else it says so.
bool improves_on(Device& device) {
  if (device.has_long_loops()) return true;
  BOOST_CHECK_EXCEPTION(genetic::solve(genetic::tour(Matrix(5, 1).distances), drawn_only(4), device), InvalidInput,
                        [](const InvalidInput& error) {
                          return std::string(error.what()).find("ends long loops early") != std::string::npos;
                        });
  return false;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(genetic_directed_tours)

BOOST_AUTO_TEST_CASE(the_local_search_leaves_no_move, *boost::unit_test::label("device")) {
  if (!improves_on(test::device())) return;
  for (const std::size_t count : {3U, 4U, 5U, 7U, 11U, 12U, 49U}) {
    const Matrix matrix(count, 5 + static_cast<unsigned>(count));
    const auto result = genetic::solve(genetic::tour(matrix.distances), drawn_only(9), test::device());
    const auto tours = tours_of<std::size_t>(result, count);
    BOOST_REQUIRE(tours.size() == 9U);
    for (std::size_t i = 0; i < tours.size(); ++i) {
      const auto& order = tours[i];
      BOOST_REQUIRE(test::is_tour(order));
      BOOST_TEST(result.values[i] == matrix.length(order));
      BOOST_TEST(improving_two_opt_moves(matrix, order) == 0U);
      BOOST_TEST(improving_or_opt_moves(matrix, order) == 0U);
    }
  }
}

// Without it there are such moves: the counts above can fail.
BOOST_AUTO_TEST_CASE(tours_that_were_drawn_have_moves) {
  const Matrix matrix(11, 5);
  auto options = drawn_only(9);
  options.improve = "none";
  const auto result = genetic::solve(genetic::tour(matrix.distances), options, test::device());
  std::size_t two_opt = 0;
  std::size_t or_opt = 0;
  for (const auto& order : tours_of<std::size_t>(result, 11)) {
    two_opt += improving_two_opt_moves(matrix, order);
    or_opt += improving_or_opt_moves(matrix, order);
  }
  BOOST_TEST(two_opt > 9U);
  BOOST_TEST(or_opt > 9U);
}

BOOST_AUTO_TEST_CASE(granularities_improve_alike, *boost::unit_test::label("device")) {
  if (!improves_on(test::device())) return;
  const Matrix matrix(31, 3);
  const auto problem = genetic::tour(matrix.distances);
  genetic::Options options;
  options.population = 7;
  options.generations = 6;
  options.restart = 2;
  options.islands = 2;
  options.migrate_every = 4;
  const auto host = open_device("openmp:0");
  const auto expected = genetic::solve(problem, options, *host);
  for (const auto& granularity : {"thread", "group", "fused"}) {
    options.granularity = granularity;
    BOOST_TEST(genetic::solve(problem, options, test::device()).checksum == expected.checksum);
  }
}

// Of few cities every trip is tried.
BOOST_AUTO_TEST_CASE(every_kind_of_trip_is_the_shortest, *boost::unit_test::label("device")) {
  if (!improves_on(test::device())) return;
  using City = std::optional<std::size_t>;
  for (const std::size_t count : {3U, 4U, 5U, 8U})
    for (const bool is_symmetric : {false, true}) {
      const Matrix matrix(count, 40 + static_cast<unsigned>(count), is_symmetric);
      for (const auto& [start, end, is_open] :
           {std::tuple(City(), City(), false), std::tuple(City(1), City(), false), std::tuple(City(), City(), true),
            std::tuple(City(1), City(), true), std::tuple(City(), City(0), true),
            std::tuple(City(0), City(count - 1), true), std::tuple(City(count - 1), City(1), true)}) {
        if (start && end && count < 4) continue;
        BOOST_TEST_CONTEXT("of " << count << " cities, symmetric: " << is_symmetric << ", from "
                                 << (start ? static_cast<int>(*start) : -1) << " to "
                                 << (end ? static_cast<int>(*end) : -1) << ", open: " << is_open) {
          const auto tour = genetic::make_tour(genetic::cities_of(matrix.distances), trip_of(start, end, is_open));
          genetic::Options options;
          options.population = 20;
          options.generations = 20;
          const auto result = genetic::solve(tour.problem, options, test::device());
          const auto route = genetic::route_of(tour.problem, tour.ends, result.genes);
          const Order order(route.cities.begin(), route.cities.end());
          BOOST_REQUIRE(order.size() == count);
          BOOST_REQUIRE(test::is_tour(order));
          BOOST_TEST((!start || order.front() == *start));
          BOOST_TEST((!end || order.back() == *end));
          BOOST_TEST((is_open || start || order.front() == 0U));
          BOOST_TEST(route.legs.size() == (is_open ? count - 1 : count));
          BOOST_TEST(route.length == std::accumulate(route.legs.begin(), route.legs.end(), 0.0));
          BOOST_TEST(route.length == matrix.length(order, is_open));
          BOOST_TEST(route.length == result.fitness);
          BOOST_TEST(route.length == shortest(matrix, start, end, is_open));
          // An individual of the trip has the same value, and begins anywhere in the round trip.
          const auto again = genetic::route_of(tour.problem, tour.ends, genetic::genes_of(tour.ends, route.cities));
          BOOST_TEST(again.cities == route.cities);
          BOOST_TEST(again.legs == route.legs);
        }
      }
    }
}

BOOST_AUTO_TEST_CASE(lengths_are_rounded_to_decimals) {
  const std::vector<double> places{0, 0, 0.3, 0.4, 1, 0};
  const auto rounded = genetic::cities_at(places, false, 2);
  // 0.5, sqrt(0.65) = 0.80623, 1.
  BOOST_TEST((rounded.distances == std::vector<double>{0, 50, 100, 50, 0, 81, 100, 81, 0}));
  BOOST_TEST(rounded.rounding_warning().empty());
  BOOST_TEST(genetic::cities_at(places, false).rounding_warning().find("give more `decimals`") != std::string::npos);
  const auto tour = genetic::make_tour(rounded);
  const auto result = genetic::solve(tour.problem, drawn_only(2), test::device());
  BOOST_TEST(genetic::route_of(tour.problem, tour.ends, result.genes).length == 2.31);
  BOOST_TEST(
      (genetic::cities_of(std::vector<double>{9, 1.25, 0.5, 0}, 1).distances == std::vector<double>{0, 13, 5, 0}));
}

// By the angle between two vectors from the middle of the earth.
BOOST_AUTO_TEST_CASE(places_on_the_earth_are_apart_along_great_circles) {
  BOOST_TEST_MESSAGE("places of seed 11");
  std::mt19937 random(11);
  std::uniform_real_distribution<double> latitude(-90, 90);
  std::uniform_real_distribution<double> longitude(-180, 180);
  std::vector<double> places{90, 0, -90, 0, 0, 180, 0, -180};
  for (int i = 0; i < 40; ++i) {
    places.push_back(latitude(random));
    places.push_back(longitude(random));
  }
  const auto cities = genetic::cities_at(places, true, 1);
  const auto vector_of = [&](std::size_t city) {
    const double radian = std::acos(-1.0) / 180;
    const double north = places[2 * city] * radian;
    const double east = places[2 * city + 1] * radian;
    return std::vector{std::cos(north) * std::cos(east), std::cos(north) * std::sin(east), std::sin(north)};
  };
  for (std::size_t a = 0; a < cities.count; ++a)
    for (std::size_t b = 0; b < cities.count; ++b) {
      const auto u = vector_of(a);
      const auto v = vector_of(b);
      const double cross = std::hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
      const double angle = std::atan2(cross, u[0] * v[0] + u[1] * v[1] + u[2] * v[2]);
      BOOST_TEST(std::fabs(cities.distances[a * cities.count + b] - 63710.088 * angle) < 0.51);
    }
}

BOOST_AUTO_TEST_SUITE_END()
