/// \file
/// What is known of a tour before a search begins.
#pragma once

#include <clopt/objective.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace clopt::genetic {

/// A round trip and its length.
struct StartTour {
  std::vector<std::uint32_t> cities;
  std::int64_t length = 0;
};

/// Of a table of places greedy_tour(); else the tour of the nearest neighbour from city 0 on (Rosenkrantz, Stearns and
/// Lewis, An analysis of several heuristics for the traveling salesman problem, 1977); of equally near cities the one
/// of the lowest number is next. \param objective a tour's, with its table. O(n^2) at most; about O(n), of places O(n
/// log n), of cities that lie in a plane.
StartTour start_tour(const Objective& objective, std::uint32_t cities);

/// The length of a round trip through some cities. \param objective as above.
std::int64_t tour_length(const Objective& objective, std::span<const std::uint32_t> cities);

/// Of a directed tour the only city for whose ways the way back may be another one; none where there are several.
/// O(n^2).
std::optional<std::uint32_t> anchor_of(const Objective& objective, std::uint32_t cities);

}  // namespace clopt::genetic
