/// \file
/// Tours of many cities that have places: no table of all distances.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "distances.hpp"
#include "tour_table.hpp"

namespace clopt::genetic {

/// Cities from which on a tour of places is searched by its segments, and how many there may be.
inline constexpr std::size_t least_cities_by_places = 1501;
inline constexpr std::size_t most_cities_by_places = 4000000;

/// The table of cities at places, with the lists of near ones. \param metric GENETIC_ROUNDED or GENETIC_ROUNDED_UP.
/// O(n) for cities that are spread evenly. \throws InvalidInput for coordinates beyond 2^27 units.
std::vector<double> places_table(std::span<const Place> places, std::uint32_t metric, double scale);

/// Whether a table of that size has coordinates that a run can take.
bool are_places(std::span<const double> table, std::size_t cities);

/// A bound of the lengths of all ways: the diagonal of what the places of a table span.
double largest_length(const TourTable& table);

/// A round trip of the shortest edges: each is taken, the shortest first, that leaves paths, and the nearest ends of
/// those are joined (J. Bentley, Fast algorithms for geometric traveling salesman problems, 1992). O(n log n).
std::vector<std::uint32_t> greedy_tour(const TourTable& table);

/// The 2-opt and Or-opt moves of kernels_cl/shared/genetic/two_opt.h over a whole tour.
class WholeTourSearch {
 public:
  /// \param table of places.
  explicit WholeTourSearch(std::span<const double> table, std::size_t cities);
  /// Shortens a tour until no move of the lists is left. `look()` is called now and then.
  template <class Look>
  void shorten(std::vector<std::uint32_t>& cities, const Look& look) {
    if (cities.size() < 4) return;
    begin(cities);
    while (!shorten_some()) look();
  }

 private:
  void begin(std::vector<std::uint32_t>& cities);
  bool shorten_some();

  std::vector<std::uint32_t> scratch_;
  shared::genetic_tour<double> tour_{};
};

}  // namespace clopt::genetic
