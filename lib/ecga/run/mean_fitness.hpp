/// \file
/// The mean of a population's fitness.
#pragma once

#include <cstddef>
#include <span>

namespace clopt::ecga {

inline constexpr std::size_t sums_of_mean = 8;

/// The mean and the least of some values.
struct MeanAndLeast {
  double mean = 0;
  double least = 0;
};

/// Of the finite values, where there are such. \param values one at least, none of them NaN.
MeanAndLeast mean_and_least(std::span<const float> values);
MeanAndLeast mean_and_least(std::span<const double> values);

}  // namespace clopt::ecga
