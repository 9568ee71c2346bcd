/// \file
/// Which cities of a plane are the nearest.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "tour_table.hpp"

namespace clopt::genetic {

/// A k-d tree of cities (J. Bentley, Multidimensional binary search trees used for associative searching, 1975). What
/// it finds depends on the places alone: among equally near cities too.
class NearestCities {
 public:
  /// Of some of a table's cities. O(n log n).
  NearestCities(const TourTable& table, const std::vector<std::uint32_t>& cities)
      : axes_(cities.size()), left_(cities.size()) {
    cities_.reserve(cities.size());
    for (const auto city : cities) cities_.push_back(at(table, city));
    build(0, cities_.size());
  }

  /// \param found gets the nearest ones other than a city of the table, `most` of them, by their squared distances.
  /// O(log n).
  void find(const TourTable& table, std::uint32_t city, std::size_t most,
            std::vector<std::pair<double, std::uint32_t>>& found) const {
    found.clear();
    Search search{at(table, city), most, found};
    look(search, 0, cities_.size());
    std::sort_heap(found.begin(), found.end());
  }

  /// Takes a city of the table out of it; nothing where it is not there. O(log n).
  void remove(const TourTable& table, std::uint32_t number) {
    const auto city = at(table, number);
    std::size_t first = 0;
    std::size_t end = cities_.size();
    std::vector<std::size_t> way;
    while (first < end) {
      const auto middle = middle_of(first, end);
      way.push_back(middle);
      if (cities_[middle].number == number) break;
      if (precedes(city, cities_[middle], axes_[middle]))
        end = middle;
      else
        first = middle + 1;
    }
    if (first == end || axes_[way.back()] >= removed) return;
    for (const auto each : way) --left_[each];
    axes_[way.back()] += removed;
  }

 private:
  // Of a city that was taken out, what is added to the axis by which it divides the others.
  static constexpr std::uint8_t removed = 2;

  struct City {
    std::array<double, 2> place;
    std::uint32_t number;
  };

  struct Search {
    City city;
    std::size_t most;
    std::vector<std::pair<double, std::uint32_t>>& found;  ///< a heap, the farthest first
    bool may_have(double distance) const { return found.size() < most || distance < found.front().first; }
  };

  static std::size_t middle_of(std::size_t first, std::size_t end) { return first + (end - first) / 2; }
  static City at(const TourTable& table, std::uint32_t city) {
    return {{table.place(city, 0), table.place(city, 1)}, city};
  }
  static bool precedes(const City& one, const City& other, std::uint8_t axis) {
    const double here = one.place[axis % removed];
    const double there = other.place[axis % removed];
    return here != there ? here < there : one.number < other.number;
  }

  void build(std::size_t first, std::size_t end) {
    if (first == end) return;
    std::array<double, 2> extents{};
    for (std::uint8_t axis = 0; axis < 2; ++axis) {
      double least = std::numeric_limits<double>::infinity();
      double most = -least;
      for (auto i = first; i < end; ++i) {
        least = std::min(least, cities_[i].place[axis]);
        most = std::max(most, cities_[i].place[axis]);
      }
      extents[axis] = most - least;
    }
    const std::uint8_t axis = extents[1] > extents[0] ? 1 : 0;
    const auto middle = middle_of(first, end);
    const auto begin = cities_.begin();
    std::nth_element(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(middle),
                     begin + static_cast<std::ptrdiff_t>(end),
                     [&](const City& one, const City& other) { return precedes(one, other, axis); });
    axes_[middle] = axis;
    left_[middle] = end - first;
    build(first, middle);
    build(middle + 1, end);
  }

  void look(Search& search, std::size_t first, std::size_t end) const {
    if (first == end) return;
    const auto middle = middle_of(first, end);
    if (left_[middle] == 0) return;
    const auto& other = cities_[middle];
    const auto axis = axes_[middle];
    if (axis < removed && other.number != search.city.number) take(search, other);
    const double beyond = search.city.place[axis % removed] - other.place[axis % removed];
    const bool is_before = precedes(search.city, other, axis);
    look(search, is_before ? first : middle + 1, is_before ? middle : end);
    if (search.may_have(beyond * beyond)) look(search, is_before ? middle + 1 : first, is_before ? end : middle);
  }

  static void take(Search& search, const City& other) {
    const double east = search.city.place[0] - other.place[0];
    const double north = search.city.place[1] - other.place[1];
    const double distance = east * east + north * north;
    auto& found = search.found;
    if (!search.may_have(distance)) return;
    if (found.size() == search.most) {
      std::pop_heap(found.begin(), found.end());
      found.pop_back();
    }
    found.emplace_back(distance, other.number);
    std::push_heap(found.begin(), found.end());
  }

  std::vector<City> cities_;        ///< the middle of a range divides what is before it from what is behind
  std::vector<std::uint8_t> axes_;  ///< by which it does
  std::vector<std::size_t> left_;   ///< cities of a range that were not taken out, at its middle
};

}  // namespace clopt::genetic
