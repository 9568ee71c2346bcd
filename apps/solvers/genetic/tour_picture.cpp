#include "tour_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace clopt::apps::genetic {
namespace {

namespace solver = clopt::genetic;

/// To the east, and to the north. Latitudes and longitudes become degrees that are as long in both directions in the
/// middle of the map.
std::vector<Svg::Point> points_of(const solver::Cities& cities) {
  std::vector<Svg::Point> places;
  for (const auto& [first, second] : cities.places)
    places.push_back(cities.are_geographical ? Svg::Point{second, first} : Svg::Point{first, second});
  if (places.empty() || !cities.are_geographical) return places;
  const auto [south, north] =
      std::minmax_element(places.begin(), places.end(), [](auto a, auto b) { return a.y < b.y; });
  const double shortening = std::cos((south->y + north->y) / 2 * std::numbers::pi / 180);
  for (auto& place : places) place.x *= shortening;
  return places;
}

}  // namespace

void draw_tour(Svg& svg, double x, double y, double side, const solver::Tour& tour, const solver::Route& route) {
  const auto places = points_of(tour.cities);
  const auto& order = route.cities;
  const auto title = fmt::format("a trip of {}, {} cities", route.length, order.size());
  constexpr double head = 48;
  constexpr double margin = 24;
  svg.text_within(x + margin, y + 22, side - 2 * margin, title, "start", 15);
  if (places.empty() || order.empty()) return;
  const auto [left, right] =
      std::minmax_element(places.begin(), places.end(), [](auto a, auto b) { return a.x < b.x; });
  const auto [low, high] = std::minmax_element(places.begin(), places.end(), [](auto a, auto b) { return a.y < b.y; });
  const double room_x = side - 2 * margin;
  const double room_y = side - head - margin;
  const double extent_x = std::max(right->x - left->x, 1e-9);
  const double extent_y = std::max(high->y - low->y, 1e-9);
  const double scale = std::min(room_x / extent_x, room_y / extent_y);
  // North is up.
  const auto on_map = [&, left = left, high = high](const Svg::Point& place) {
    return Svg::Point{x + margin + (place.x - left->x) * scale + (room_x - extent_x * scale) / 2,
                      y + head + (high->y - place.y) * scale + (room_y - extent_y * scale) / 2};
  };
  std::vector<Svg::Point> way;
  way.reserve(order.size() + 1);
  for (const auto city : order) way.push_back(on_map(places[city]));
  if (!tour.ends.open) way.push_back(way.front());
  svg.polyline(way, colour::blue, 1.5);
  for (std::size_t city = 0; city < places.size(); ++city) {
    const auto place = on_map(places[city]);
    svg.circle(place.x, place.y, places.size() <= 300 ? 3 : 1.5, city == order.front() ? colour::vermilion : "black",
               tour.cities.names.empty() ? fmt::format("city {}", city + 1) : tour.cities.names[city]);
  }
}

}  // namespace clopt::apps::genetic
