#include "start_tour.hpp"

#include <cstddef>
#include <span>

#include "permutation_objectives.hpp"

namespace clopt::genetic {
namespace {

/// The table of a tour: distances, then the lists of near cities.
class Distances {
 public:
  Distances(const Objective& objective, std::size_t cities)
      : table_(objective.table_values()),
        cities_(cities),
        near_(shared::genetic_near_count(static_cast<std::uint32_t>(cities))) {}

  double from(std::size_t city, std::size_t other) const { return table_[city * cities_ + other]; }

  // Of a city, the nearest one that was not visited. Most often it is one of its list.
  std::size_t nearest(std::size_t city, const std::vector<bool>& visited) const {
    for (const double near : table_.subspan(cities_ * cities_ + city * near_, near_))
      if (!visited[static_cast<std::size_t>(near)]) return static_cast<std::size_t>(near);
    std::size_t found = cities_;
    for (std::size_t other = 0; other < cities_; ++other)
      if (!visited[other] && (found == cities_ || from(city, other) < from(city, found))) found = other;
    return found;
  }

 private:
  std::span<const double> table_;
  std::size_t cities_;
  std::size_t near_;
};

}  // namespace

StartTour nearest_neighbour_tour(const Objective& objective, std::uint32_t cities) {
  const Distances distances(objective, cities);
  std::vector<bool> visited(cities);
  StartTour tour;
  std::size_t city = 0;
  for (;;) {
    visited[city] = true;
    tour.cities.push_back(static_cast<std::uint32_t>(city));
    if (tour.cities.size() == cities) break;
    city = distances.nearest(city, visited);
  }
  tour.length = tour_length(objective, tour.cities);
  return tour;
}

std::optional<std::uint32_t> anchor_of(const Objective& objective, std::uint32_t cities) {
  const Distances distances(objective, cities);
  // By city, the ways that are others back.
  std::vector<std::uint32_t> ways(cities);
  std::uint64_t all = 0;
  for (std::size_t a = 0; a < cities; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      if (distances.from(a, b) == distances.from(b, a)) continue;
      ++ways[a];
      ++ways[b];
      ++all;
    }
  for (std::uint32_t city = 0; city < cities; ++city)
    if (ways[city] == all) return city;
  return std::nullopt;
}

std::int64_t tour_length(const Objective& objective, std::span<const std::uint32_t> cities) {
  const Distances distances(objective, cities.size());
  std::int64_t length = 0;
  for (std::size_t i = 0; i < cities.size(); ++i)
    length += static_cast<std::int64_t>(distances.from(cities[i], cities[i + 1 == cities.size() ? 0 : i + 1]));
  return length;
}

}  // namespace clopt::genetic
