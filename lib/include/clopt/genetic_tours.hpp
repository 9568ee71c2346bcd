/// \file
/// Tours as people have them: cities of a table, of an array or of a matrix, which may be asymmetric; round trips, and
/// paths that begin or end where one says.
#pragma once

#include <clopt/export.hpp>

#include <clopt/fields.hpp>
#include <clopt/genetic.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace clopt::genetic {

/// The most digits behind the point that lengths may have.
inline constexpr std::uint32_t most_tour_decimals = 6;

/// The cities of a tour, and the lengths of the ways between them.
struct Cities {
  std::size_t count = 0;
  std::vector<std::string> names{};             ///< of each; empty: they have numbers alone, from 1 on
  std::vector<std::array<double, 2>> places{};  ///< of each, x and y, or latitude and longitude; empty: only a matrix
  bool are_geographical = false;                ///< whether places are latitudes and longitudes, in degrees
  std::vector<double> distances{};  ///< count x count, from the row's city to the column's; whole, in 10^-decimals
  bool by_places =
      false;              ///< whether lengths are Euclidean ones of the places, without distances, as of 1,501 and more
  bool round_up = false;  ///< whether such lengths are rounded up, and not to the nearest whole number
  std::uint32_t decimals = 0;
  std::string file{};  ///< from which they were read, for messages; empty: from none

  /// What to know of lengths that rounding has changed much, in words; empty: nothing. O(count).
  CLOPT_API std::string rounding_warning() const;
};

/// Reads cities by what the file contains: a problem of TSPLIB (read_tsplib(), and TYPE ATSP with a FULL_MATRIX); a CSV
/// table whose heading has the columns x and y, or lat (latitude) and lon (lng, longitude), and perhaps name (label,
/// city); a square CSV matrix, with the names of cities in a heading and in the first column, or without. In a table
/// lengths are Euclidean, or in km along great circles of the earth's mean radius, 6371.0088 km (IUGG). \param decimals
/// digits behind the point to which lengths are rounded, 0 to most_tour_decimals; a matrix without them has whole
/// numbers. \throws InvalidInput with file and line.
CLOPT_API Cities read_cities(const std::filesystem::path& file, std::uint32_t decimals = 0);
/// Cities of places: two coordinates each. \param are_geographical as in Cities. \throws InvalidInput for numbers that
/// are not finite or out of range. O(n^2); of more than 1,500 that are not geographical O(n).
CLOPT_API Cities cities_at(std::span<const double> places, bool are_geographical, std::uint32_t decimals = 0);
/// Cities of a matrix, row by row, 0 or more; what is on its diagonal does not matter. \throws InvalidInput for a
/// matrix that is not square, and for numbers out of range or, without decimals, not whole. O(n^2).
CLOPT_API Cities cities_of(std::span<const double> distances, std::uint32_t decimals = 0);

/// Which trip through the cities is looked for.
struct TourOptions {
  std::string start;  ///< the city where it begins: its name, or its number from 1 on, also as "#3"; empty: any
  std::string end;    ///< the city where an open one ends, the same
  bool open = false;  ///< whether it does not return to where it began
  std::uint32_t decimals = 0;  ///< digits behind the point of lengths, 0 to most_tour_decimals
};
/// The fields, with their ranges and meanings. The options must outlive the table.
CLOPT_API FieldTable fields(TourOptions& options);

/// What the individuals of a tour's problem mean.
struct TourEnds {
  std::size_t cities = 0;
  std::optional<std::uint32_t> start{};  ///< from 0 on
  std::optional<std::uint32_t> end{};
  bool open = false;
  std::uint32_t decimals = 0;
};

/// A tour as a problem of the genetic algorithm.
struct Tour {
  /// Its values are lengths in 10^-decimals. An individual is a round trip: of an open tour with neither start nor end
  /// through one place more, where it is cut open, and of one with both through one city less, since they are one. So
  /// every individual is a trip that is allowed.
  Problem problem;
  TourEnds ends;
  Cities cities;  ///< without distances, which the problem has
};
/// \throws InvalidInput for a city that there is not, an end of a trip that is not open, an end that is the start,
/// fewer than 3 cities, or 4 with both, more than 20000 (4000000 of a round trip by places without distances), and
/// lengths above 2^24 or whose sum may pass 2^31. O(n^2); by places O(n log n).
CLOPT_API Tour make_tour(Cities cities, const TourOptions& options = {});

/// A trip, city by city.
struct Route {
  std::vector<std::uint32_t> cities;  ///< from 0 on; each once
  std::vector<double> legs;  ///< the length from each city to the next; of a round trip also from the last to the first
  double length = 0;
};
/// The trip that an individual stands for, from its start on; of a round trip without one from city 0 on. O(n).
/// \param problem of the tour. \throws InvalidInput where the genes are not of such a tour.
CLOPT_API Route route_of(const Problem& problem, const TourEnds& ends, std::span<const double> genes);
/// The reverse: the individual of a trip. \throws InvalidInput where it is not a trip through all cities that begins
/// and ends where it should. O(n).
CLOPT_API std::vector<double> genes_of(const TourEnds& ends, std::span<const std::uint32_t> cities);
/// The individual of a trip as the program writes it: a table whose first columns are `position` and `city`, a number
/// from 1 on; none where a file is another one. \throws InvalidInput as genes_of(), and for a table that breaks off.
/// O(n).
CLOPT_API std::optional<std::vector<double>> read_trip(const std::filesystem::path& file, const TourEnds& ends);

}  // namespace clopt::genetic
