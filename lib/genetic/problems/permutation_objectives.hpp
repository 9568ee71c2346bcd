/// \file
/// What the problems of permutations and a run have in common.
#pragma once

#include <clopt/genetic.hpp>
#include <clopt/objective.hpp>

#include <shared/genetic/two_opt.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace clopt::genetic {

/// The built-in objectives of permutations, by the names of their texts.
inline constexpr std::string_view tour_name = "tour";
inline constexpr std::string_view assignment_name = "assignment";

/// Of a tour. The table of as many takes 3.2 GB.
inline constexpr std::size_t most_cities = 20000;

/// Whether an objective's table is that of a tour, with lists of near cities.
inline bool is_tour_objective(const Objective& objective) {
  return objective.is_builtin() && objective.name() == tour_name;
}

inline bool is_assignment_objective(const Objective& objective) {
  return objective.is_builtin() && objective.name() == assignment_name;
}

/// The table of a tour of some cities, with room for the lists of near ones: distances row by row, all 0.
inline std::vector<double> empty_tour_table(std::size_t cities) {
  std::vector<double> table;
  table.reserve(cities * (cities + shared::genetic_near_count(static_cast<std::uint32_t>(cities))));
  table.resize(cities * cities);
  return table;
}

/// tour() of distances that are moved, since they may be hundreds of megabytes; with empty_tour_table()'s room they are
/// not copied at all.
Problem tour_of(std::vector<double> distances);

}  // namespace clopt::genetic
