/// \file
/// What problems that are made and problems that are read have in common.
#pragma once

#include <clopt/ecga.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace clopt::ecga {

inline constexpr std::uint32_t most_loci = 1U << 20;
inline constexpr std::uint32_t most_neighbours = 12;

/// Whether an NK landscape has more values than a table takes: 2^28.
inline bool has_too_many_values(std::uint32_t length, std::uint32_t neighbours) {
  return std::uint64_t{length} * (neighbours + (2U << neighbours)) > std::uint64_t{1} << 28;
}

/// A problem with a built-in objective.
inline Problem problem_of(const char* objective, std::vector<double> table, std::uint32_t length,
                          std::optional<double> optimum = std::nullopt) {
  Problem problem{Objective::named(objective), length};
  problem.objective.set_table_values(std::move(table));
  if (optimum) problem.objective.set_optimum(*optimum);
  return problem;
}

}  // namespace clopt::ecga
