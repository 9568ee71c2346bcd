/// \file
/// A round trip on the map.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <pictures/svg.hpp>

namespace clopt::apps::genetic {

/// The places of cities from a TSPLIB file (DISPLAY_DATA_SECTION, else NODE_COORD_SECTION), in the order of their
/// numbers: to the east, and to the north. Latitudes and longitudes (EDGE_WEIGHT_TYPE GEO) become degrees of the same
/// length. \returns none where the file has none for each of \p cities.
std::vector<Svg::Point> read_places(const std::string& file, std::size_t cities);

/// Draws a trip that visits \p places in an order, into a square of a picture. \param title above it.
void draw_tour(Svg& svg, double x, double y, double side, const std::string& title, std::span<const Svg::Point> places,
               std::span<const std::uint32_t> order);

}  // namespace clopt::apps::genetic
