#include "places.hpp"

#include <clopt/error.hpp>
#include <support/threads/thread_team.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "nearest_cities.hpp"
#include "permutation_objectives.hpp"

namespace clopt::genetic {
namespace {

// Whole numbers of 32 bits hold sums of three lengths between such places.
constexpr double largest_coordinate = 0x1p27;
// Rounds of loops between two questions whether to end: some milliseconds.
constexpr std::uint32_t rounds_at_once = 1U << 20;

std::vector<std::uint32_t> all_cities(std::size_t count) {
  std::vector<std::uint32_t> cities(count);
  std::iota(cities.begin(), cities.end(), 0U);
  return cities;
}

void add_near_cities(std::vector<double>& table, std::size_t count) {
  const std::size_t near = shared::genetic_near_count(static_cast<std::uint32_t>(count));
  const TourTable places(table, count);
  const NearestCities nearest(places, all_cities(count));
  double* lists = table.data() + GENETIC_PLACES + 2 * count;
  for_row_blocks(count, [&](std::size_t first, std::size_t end) {
    std::vector<std::pair<double, std::uint32_t>> found;
    for (auto city = first; city < end; ++city) {
      nearest.find(places, static_cast<std::uint32_t>(city), near, found);
      for (std::size_t k = 0; k < near; ++k) lists[city * near + k] = found[k].second;
    }
  });
}

/// Paths of cities, which edges make longer.
class Paths {
 public:
  explicit Paths(std::size_t count) : next_(count, {none, none}), root_(all_cities(count)) {}

  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  bool is_end(std::uint32_t city) const { return next_[city][1] == none; }
  /// Joins two cities, where both are ends of different paths.
  void join(std::uint32_t a, std::uint32_t b) {
    if (!is_end(a) || !is_end(b) || root_of(a) == root_of(b)) return;
    root_[root_of(a)] = root_of(b);
    next_[a][next_[a][0] == none ? 0 : 1] = b;
    next_[b][next_[b][0] == none ? 0 : 1] = a;
  }
  /// Appends the path that begins at an end. \returns its other end.
  std::uint32_t append(std::uint32_t city, std::vector<std::uint32_t>& tour) const {
    for (auto before = none;;) {
      tour.push_back(city);
      const auto [one, other] = next_[city];
      const auto next = one == before ? other : one;
      // An edge back to where one comes from is the only one of an end.
      if (next == none) return city;
      before = std::exchange(city, next);
    }
  }

 private:
  std::uint32_t root_of(std::uint32_t city) {
    while (root_[city] != city) city = root_[city] = root_[root_[city]];
    return city;
  }

  std::vector<std::array<std::uint32_t, 2>> next_;
  std::vector<std::uint32_t> root_;
};

Paths paths_of_short_edges(const TourTable& table) {
  std::vector<std::tuple<double, std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t city = 0; city < table.count(); ++city)
    for (const double near : table.near(city)) {
      const auto other = static_cast<std::uint32_t>(near);
      edges.emplace_back(table.from(city, other), std::min(city, other), std::max(city, other));
    }
  std::sort(edges.begin(), edges.end());
  Paths paths(table.count());
  for (const auto& edge : edges) paths.join(std::get<1>(edge), std::get<2>(edge));
  return paths;
}

}  // namespace

std::vector<double> places_table(std::span<const Place> places, std::uint32_t metric, double scale) {
  std::vector<double> table(places_table_size(places.size()));
  table[0] = metric;
  for (std::size_t city = 0; city < places.size(); ++city)
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const double units = scale * places[city][axis];
      if (!(std::fabs(units) <= largest_coordinate))
        throw InvalidInput(fmt::format(
            "city {} is at {} {}, and coordinates may be {} at most; give them in a larger unit, or fewer `decimals`",
            city + 1, places[city][0], places[city][1], largest_coordinate / scale));
      table[GENETIC_PLACES + 2 * city + axis] = units;
    }
  add_near_cities(table, places.size());
  return table;
}

bool are_places(std::span<const double> table, std::size_t cities) {
  const auto coordinates = table.subspan(GENETIC_PLACES, 2 * cities);
  return std::all_of(coordinates.begin(), coordinates.end(),
                     [](double each) { return std::fabs(each) <= largest_coordinate; });
}

double largest_length(const TourTable& table) {
  std::array<double, 2> extents{};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (std::size_t city = 0; city < table.count(); ++city) {
      least = std::min(least, table.place(city, axis));
      most = std::max(most, table.place(city, axis));
    }
    extents[axis] = most - least;
  }
  return std::ceil(std::hypot(extents[0], extents[1]));
}

std::vector<std::uint32_t> greedy_tour(const TourTable& table) {
  const auto paths = paths_of_short_edges(table);
  std::vector<std::uint32_t> ends;
  for (std::uint32_t city = 0; city < table.count(); ++city)
    if (paths.is_end(city)) ends.push_back(city);
  auto city = ends.front();
  NearestCities left(table, ends);
  std::vector<std::uint32_t> tour;
  std::vector<std::pair<double, std::uint32_t>> found;
  for (;;) {
    left.remove(table, city);
    city = paths.append(city, tour);
    left.remove(table, city);
    if (tour.size() == table.count()) return tour;
    left.find(table, city, 1, found);
    city = found.front().second;
  }
}

WholeTourSearch::WholeTourSearch(std::span<const double> table, std::size_t cities)
    : scratch_(shared::genetic_tour_words(static_cast<std::uint32_t>(cities), 0)) {
  tour_.table = table.data();
  tour_.count = static_cast<std::uint32_t>(cities);
  tour_.near = shared::genetic_near_count(tour_.count);
  tour_.metric = static_cast<std::uint32_t>(table[0]);
  tour_.places = scratch_.data();
  tour_.state = scratch_.data() + cities;
}

void WholeTourSearch::begin(std::vector<std::uint32_t>& cities) {
  tour_.cities = cities.data();
  shared::genetic_begin_tour(tour_);
}

bool WholeTourSearch::shorten_some() {
  shared::genetic_shorten(tour_, rounds_at_once);
  return shared::genetic_is_shortened(tour_) != 0;
}

}  // namespace clopt::genetic
