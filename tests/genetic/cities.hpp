/// \file
/// Cities of tours, as tests know them.
#pragma once

#include <clopt/genetic.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace clopt::test {

/// A population as it is drawn, but for the local search.
inline genetic::Options drawn_only(std::uint64_t population) {
  genetic::Options options;
  options.population = population;
  options.generations = 0;
  options.keep_population = true;
  return options;
}

/// The tours of a population that was kept, each of this many cities.
template <class City>
std::vector<std::vector<City>> tours_of(const genetic::Result& result, std::size_t cities) {
  std::vector<std::vector<City>> tours(result.population.size() / cities);
  for (std::size_t i = 0; i < result.population.size(); ++i)
    tours[i / cities].push_back(static_cast<City>(result.population[i]));
  return tours;
}

/// Whether each city from 0 on is there once.
template <class City>
bool is_tour(std::vector<City> order) {
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] != static_cast<City>(i)) return false;
  return true;
}

/// Whole distances between cities of a plane; by a seed, which is printed.
struct Cities {
  /// \param greatest coordinate.
  Cities(std::size_t count, unsigned seed, int greatest = 999) : count(count), distances(count * count) {
    BOOST_TEST_MESSAGE("cities of seed " << seed);
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> place(0, greatest);
    std::vector<std::pair<int, int>> places(count);
    for (auto& [x, y] : places) {
      x = place(random);
      y = place(random);
    }
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = 0; b < count; ++b)
        distances[a * count + b] =
            std::round(std::hypot(places[a].first - places[b].first, places[a].second - places[b].second));
  }
  template <class Number>
  double apart(Number a, Number b) const {
    return distances[static_cast<std::size_t>(a) * count + static_cast<std::size_t>(b)];
  }
  template <class Number>
  double length(std::span<const Number> order) const {
    double sum = 0;
    for (std::size_t i = 0; i < order.size(); ++i) sum += apart(order[i], order[(i + 1) % order.size()]);
    return sum;
  }
  double length(const std::vector<double>& order) const { return length(std::span<const double>(order)); }
  /// Whether b is one of the nearest ten of a, the lower number first among equals.
  bool is_near(double a, double b) const {
    std::size_t nearer = 0;
    for (std::size_t c = 0; c < count; ++c) {
      const auto other = static_cast<double>(c);
      if (other == a || other == b) continue;
      if (apart(a, other) < apart(a, b) || (apart(a, other) == apart(a, b) && other < b)) ++nearer;
    }
    return nearer < 10;
  }
  /// The length of the tour that goes from city 0 on to the nearest one that is left, the first of equals.
  double nearest_neighbour_length() const {
    std::vector<std::size_t> left(count - 1);
    std::iota(left.begin(), left.end(), std::size_t{1});
    std::vector<std::size_t> order{0};
    while (!left.empty()) {
      const auto next = std::min_element(left.begin(), left.end(), [&](std::size_t a, std::size_t b) {
        return apart(order.back(), a) < apart(order.back(), b);
      });
      order.push_back(*next);
      left.erase(next);
    }
    return length(std::span<const std::size_t>(order));
  }

  std::size_t count;
  std::vector<double> distances;
};

}  // namespace clopt::test
