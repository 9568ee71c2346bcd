/// \file
/// Lengths of ways between places, and how they are rounded.
#pragma once

#include <clopt/genetic_tours.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "permutation_objectives.hpp"

namespace clopt::genetic {

using Place = std::array<double, 2>;

/// In units, of which a length of 1 has `scale`.
using Distance = double (*)(Place, Place, double scale);

inline double rounded(double length) { return std::floor(length + 0.5); }

inline double euclidean(Place a, Place b, double scale) {
  return rounded(scale * std::hypot(a[0] - b[0], a[1] - b[1]));
}

/// In km along a great circle (haversines), of latitudes and longitudes in degrees.
double great_circle(Place a, Place b, double scale);

inline double rounded_up(Place a, Place b, double scale) {
  return std::ceil(scale * std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])));
}

/// How many units of `decimals` digits a length of 1 has.
inline double scale_of(std::uint32_t decimals) {
  double scale = 1;
  for (std::uint32_t i = 0; i < decimals; ++i) scale *= 10;
  return scale;
}

/// All distances between places, in both directions. O(n^2).
std::vector<double> distances_between(const std::vector<Place>& places, Distance distance, std::uint32_t decimals);

/// A matrix's number in units: rounded where there are decimals; none for one that is negative or not finite, or not
/// whole without decimals.
std::optional<double> units_of(double length, std::uint32_t decimals);
/// What to give in its place.
std::string wanted_lengths(std::uint32_t decimals);

/// Refuses \p decimals that are out of range.
void require_decimals(std::uint32_t decimals);

/// The distances of cities whose lengths are those of their places.
std::vector<double> distances_of(const Cities& cities);

/// Cities of places, which are checked. \throws InvalidInput.
Cities cities_at(std::vector<Place> places, bool are_geographical, std::uint32_t decimals);

/// Pairs of coordinates, which are finite. \throws InvalidInput.
std::vector<Place> places_of(std::span<const double> coordinates, bool are_geographical = false);

/// \throws InvalidInput for a place that is not finite, or on no map. \param what begins the message.
void require_place(Place place, bool is_geographical, const std::string& what);

/// Cities of a TSPLIB file (readers.cpp).
Cities read_tsplib_cities(const std::filesystem::path& file, std::uint32_t decimals);
/// \param name of the text, for messages.
Cities read_tsplib_cities(std::istream& text, std::string_view name, std::uint32_t decimals);

}  // namespace clopt::genetic
