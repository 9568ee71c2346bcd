/// \file
/// What the problems of permutations and a run have in common.
#pragma once

#include <clopt/genetic.hpp>
#include <clopt/objective.hpp>

#include <shared/genetic/places.h>

#include <support/threads/kept_team.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tour_table.hpp"

namespace clopt::genetic {

/// The built-in objectives of permutations, by the names of their texts.
inline constexpr std::string_view tour_name = "tour";
inline constexpr std::string_view assignment_name = "assignment";

/// Of a tour. The table of as many takes 3.2 GB.
inline constexpr std::size_t most_cities = 20000;

/// Of a tour or an assignment: a distance, which floats hold exactly, and a sum of them.
inline constexpr double largest_distance = 0x1p24;
inline constexpr double largest_sum = 0x1p31 - 1;

/// Whether an objective's table is that of a tour, with lists of near cities.
inline bool is_tour_objective(const Objective& objective) {
  return objective.is_builtin() && objective.name() == tour_name;
}

inline bool is_assignment_objective(const Objective& objective) {
  return objective.is_builtin() && objective.name() == assignment_name;
}

/// The numbers in the table of a tour: distances, and one or two lists of near cities for each.
inline std::size_t tour_table_size(std::size_t cities, bool is_directed) {
  const std::size_t near = shared::genetic_near_count(static_cast<std::uint32_t>(cities));
  return cities * (cities + (is_directed ? 2 : 1) * near);
}

/// Whether a table may be that of a tour of some cities.
inline bool is_tour_table(std::size_t values, std::size_t cities) {
  return values == tour_table_size(cities, false) || values == tour_table_size(cities, true) ||
         values == places_table_size(cities);
}

/// Whether a tour's table is of as many cities as there are genes.
inline bool has_tour_size(const Problem& problem) {
  return is_tour_table(problem.objective.table_values().size(), problem.genes);
}

/// Whether the lists of near cities of a table of the right size name cities that there are.
inline bool has_near_cities(const Problem& problem) {
  const auto lists = TourTable(problem.objective, problem.genes).lists();
  return std::all_of(lists.begin(), lists.end(),
                     [&](double city) { return city >= 0 && city < static_cast<double>(problem.genes); });
}

/// Whether a problem is a tour of cities by their places.
inline bool is_tour_of_places(const Problem& problem) {
  return is_tour_objective(problem.objective) &&
         problem.objective.table_values().size() == places_table_size(problem.genes) &&
         TourTable(problem.objective, problem.genes).has_places();
}

/// Whether distances of a tour may be others on the way back (kernels_cl/shared/genetic/tour.h).
inline bool is_directed_tour(const Objective& objective, std::size_t cities) {
  return is_tour_objective(objective) && objective.table_values().size() == tour_table_size(cities, true);
}

/// The table of a tour of some cities, with room for the lists of near ones: distances row by row, all 0.
inline std::vector<double> empty_tour_table(std::size_t cities, bool is_directed = false) {
  std::vector<double> table;
  table.reserve(tour_table_size(cities, is_directed));
  table.resize(cities * cities);
  return table;
}

/// Calls `work(first, end)` for all rows of a table, in blocks of which threads take one at a time.
template <class Work>
void for_row_blocks(std::size_t rows, const Work& work) {
  constexpr std::size_t block = 64;
  const auto blocks = (rows + block - 1) / block;
  // Small tables are done before threads have begun.
  kept_team(rows < 1024 ? 1 : 0)->run(blocks, [&](std::size_t part) {
    work(part * block, std::min((part + 1) * block, rows));
  });
}

/// Calls `work(a, b)` for all b below a, in blocks, so that both halves of a table stay in the caches.
template <class Work>
void for_pairs(std::size_t rows, const Work& work) {
  for_row_blocks(rows, [&](std::size_t first, std::size_t end) {
    for (std::size_t second = 0; second < end; second += end - first)
      for (std::size_t a = first; a < end; ++a)
        for (std::size_t b = second; b < std::min(second + (end - first), a); ++b) work(a, b);
  });
}

/// tour() of distances that are moved, since they may be hundreds of megabytes; with empty_tour_table()'s room they are
/// not copied at all. Those that are not symmetric make a directed tour.
Problem tour_of(std::vector<double> distances);

}  // namespace clopt::genetic
