/// \file
/// A trip on the map.
#pragma once

#include <clopt/genetic_tours.hpp>

#include <pictures/svg.hpp>

namespace clopt::apps::genetic {

/// Draws a trip through cities that have places, into a square of a picture.
void draw_tour(Svg& svg, double x, double y, double side, const clopt::genetic::Tour& tour,
               const clopt::genetic::Route& route);

}  // namespace clopt::apps::genetic
