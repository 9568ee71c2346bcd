#include "tour_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <locale>
#include <numbers>
#include <optional>
#include <sstream>

namespace clopt::apps::genetic {

namespace {

// TSPLIB 95, section 2.4: DDD.MM.
double degrees(double angle) {
  const double whole = std::trunc(angle);
  return whole + 5 * (angle - whole) / 3;
}

/// The places of all cities, or nothing where some have none.
std::vector<Svg::Point> complete(const std::vector<std::optional<Svg::Point>>& found) {
  std::vector<Svg::Point> places;
  for (const auto& place : found) {
    if (!place) return {};
    places.push_back(*place);
  }
  return places;
}

/// Latitudes and longitudes as places on a map: a degree is as long in both directions in the middle of it.
std::vector<Svg::Point> on_a_map(std::vector<Svg::Point> places) {
  if (places.empty()) return places;
  for (auto& place : places) place = {degrees(place.y), degrees(place.x)};
  const auto [south, north] =
      std::minmax_element(places.begin(), places.end(), [](auto a, auto b) { return a.y < b.y; });
  const double shortening = std::cos((south->y + north->y) / 2 * std::numbers::pi / 180);
  for (auto& place : places) place.x *= shortening;
  return places;
}

}  // namespace

std::vector<Svg::Point> read_places(const std::string& file, std::size_t cities) {
  std::ifstream text(file);
  std::vector<std::optional<Svg::Point>> found(cities);
  enum class Section { none, coordinates, display };
  auto section = Section::none;
  bool is_geographical = false;
  bool is_displayed = false;
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    words.imbue(std::locale::classic());
    std::string first;
    if (!(words >> first)) continue;
    if (first.starts_with("EDGE_WEIGHT_TYPE")) is_geographical = line.find("GEO") != line.npos;
    const bool has_coordinates = first.starts_with("NODE_COORD_SECTION");
    const bool has_display = first.starts_with("DISPLAY_DATA_SECTION");
    if (has_coordinates || has_display) {
      section = has_display ? Section::display : Section::coordinates;
      is_displayed = has_display;
      continue;
    }
    if (section == Section::none) continue;
    std::istringstream numbers(line);
    numbers.imbue(std::locale::classic());
    std::size_t city = 0;
    Svg::Point place{};
    if (!(numbers >> city >> place.x >> place.y)) {
      section = Section::none;
      continue;
    }
    if (city >= 1 && city <= cities && std::isfinite(place.x) && std::isfinite(place.y)) found[city - 1] = place;
  }
  const auto places = complete(found);
  return is_geographical && !is_displayed ? on_a_map(places) : places;
}

void draw_tour(Svg& svg, double x, double y, double side, const std::string& title, std::span<const Svg::Point> places,
               std::span<const std::uint32_t> order) {
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
  for (const auto city : order) way.push_back(on_map(places[city]));
  way.push_back(way.front());
  svg.polyline(way, "#0072B2", 1.5);
  for (std::size_t city = 0; city < places.size(); ++city) {
    const auto place = on_map(places[city]);
    svg.circle(place.x, place.y, places.size() <= 300 ? 3 : 1.5, city == order.front() ? "#D55E00" : "black",
               fmt::format("city {}", city + 1));
  }
}

}  // namespace clopt::apps::genetic
