/// \file
/// What the problems of permutations and a run have in common.
#pragma once

#include <clopt/objective.hpp>

#include <shared/genetic/two_opt.h>

#include <string_view>

namespace clopt::genetic {

/// The built-in objectives of permutations, by the names of their texts.
inline constexpr std::string_view tour_name = "tour";
inline constexpr std::string_view assignment_name = "assignment";

/// Whether an objective's table is that of a tour, with lists of near cities.
inline bool is_tour_objective(const Objective& objective) {
  return objective.is_builtin() && objective.name() == tour_name;
}

inline bool is_assignment_objective(const Objective& objective) {
  return objective.is_builtin() && objective.name() == assignment_name;
}

}  // namespace clopt::genetic
