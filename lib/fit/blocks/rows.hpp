/// \file
/// Rows of fits as devices get them.
#pragma once

#include <clopt/fit.hpp>

#include <cmath>
#include <cstddef>
#include <limits>

namespace clopt::fit {

/// Whether a row has enough data to be summed by sections, see kernels_cl/fit/long_rows.cl.
inline bool has_long_rows(const Problem& problem) { return problem.columns >= (std::size_t{1} << 15); }

/// How many data of a row are not missing. O(columns).
std::size_t present_data(const Problem& problem, std::size_t row);

/// The numbers of a part of what a device gets of rows: their data, then own places and standard deviations.
const SharedNumbers& numbers_of_part(const Problem& problem, const Objective::RowParts& parts, std::size_t part);

/// What a device gets as the standard deviation of a datum: NaN for one of 0, so that its row alone has no finite
/// residual.
inline double deviation_of(double sigma, double datum) {
  return sigma > 0 || std::isnan(datum) ? sigma : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace clopt::fit
