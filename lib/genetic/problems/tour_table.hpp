/// \file
/// What the table of a tour says (kernels_cl/shared/genetic/tour.h, places.h).
#pragma once

#include <clopt/objective.hpp>

#include <shared/genetic/two_opt.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace clopt::genetic {

/// The numbers in a table of places (kernels_cl/shared/genetic/places.h).
inline std::size_t places_table_size(std::size_t cities) {
  return GENETIC_PLACES + cities * (2 + shared::genetic_near_count(static_cast<std::uint32_t>(cities)));
}

/// The lengths of the ways between cities, and the cities that are near to each: of a table of distances, or of one of
/// places. The objective must outlive it.
class TourTable {
 public:
  TourTable(std::span<const double> table, std::size_t cities)
      : table_(table),
        count_(cities),
        near_(shared::genetic_near_count(static_cast<std::uint32_t>(cities))),
        has_places_(table.size() == places_table_size(cities)) {}
  TourTable(const Objective& objective, std::size_t cities) : TourTable(objective.table_values(), cities) {}

  std::size_t count() const { return count_; }
  /// Whether there are places, and no distances.
  bool has_places() const { return has_places_; }
  double place(std::size_t city, std::size_t axis) const { return table_[GENETIC_PLACES + 2 * city + axis]; }

  /// Whole, in units.
  double from(std::size_t city, std::size_t other) const {
    if (!has_places()) return table_[city * count_ + other];
    const std::uint32_t metric = table_[0] == GENETIC_ROUNDED_UP ? GENETIC_ROUNDED_UP : GENETIC_ROUNDED;
    return shared::genetic_straight_way(metric, place(city, 0) - place(other, 0), place(city, 1) - place(other, 1));
  }
  /// Cities that are near, the nearest first.
  std::span<const double> near(std::size_t city) const { return lists().subspan(city * near_, near_); }
  /// The lists of all, one after the other; of a directed tour there are others behind them.
  std::span<const double> lists() const {
    return table_.subspan(has_places() ? GENETIC_PLACES + 2 * count_ : count_ * count_);
  }

 private:
  std::span<const double> table_;
  std::size_t count_;
  std::size_t near_;
  bool has_places_;
};

}  // namespace clopt::genetic
