#include "start_tour.hpp"

#include <cstddef>
#include <span>
#include <utility>

#include "permutation_objectives.hpp"
#include "places.hpp"

namespace clopt::genetic {
namespace {

// Of a city, the nearest one that was not visited. Most often it is one of its list.
std::size_t nearest(const TourTable& table, std::size_t city, const std::vector<bool>& visited) {
  for (const double near : table.near(city))
    if (!visited[static_cast<std::size_t>(near)]) return static_cast<std::size_t>(near);
  auto found = table.count();
  for (std::size_t other = 0; other < table.count(); ++other)
    if (!visited[other] && (found == table.count() || table.from(city, other) < table.from(city, found))) found = other;
  return found;
}

}  // namespace

StartTour start_tour(const Objective& objective, std::uint32_t cities) {
  const TourTable distances(objective, cities);
  if (distances.has_places()) {
    auto greedy = greedy_tour(distances);
    const auto length = tour_length(objective, greedy);
    return {std::move(greedy), length};
  }
  std::vector<bool> visited(cities);
  StartTour tour;
  std::size_t city = 0;
  for (;;) {
    visited[city] = true;
    tour.cities.push_back(static_cast<std::uint32_t>(city));
    if (tour.cities.size() == cities) break;
    city = nearest(distances, city, visited);
  }
  tour.length = tour_length(objective, tour.cities);
  return tour;
}

std::optional<std::uint32_t> anchor_of(const Objective& objective, std::uint32_t cities) {
  const TourTable distances(objective, cities);
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
  const TourTable distances(objective, cities.size());
  std::int64_t length = 0;
  for (std::size_t i = 0; i < cities.size(); ++i)
    length += static_cast<std::int64_t>(distances.from(cities[i], cities[i + 1 == cities.size() ? 0 : i + 1]));
  return length;
}

}  // namespace clopt::genetic
