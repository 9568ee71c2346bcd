/// \file
/// Rows of fits as devices get them.
#pragma once

#include <clopt/fit.hpp>

#include <cstddef>

namespace clopt::fit {

/// How many data of a row are not missing. O(columns).
std::size_t present_data(const Problem& problem, std::size_t row);

/// Number `place` of what a device gets of a row: its data, then its own places and standard deviations.
double part_of_row(const Problem& problem, const Objective::RowParts& parts, std::size_t row, std::size_t place);

}  // namespace clopt::fit
