/// \file
/// The mean of a population's fitness.
#pragma once

#include <array>
#include <cstddef>
#include <numeric>
#include <span>

namespace clopt::ecga {

/// Sums that a processor adds up side by side; how many is part of what the mean is, to the last bit.
inline constexpr std::size_t sums_of_mean = 8;

/// \param values one at least.
inline double mean_of(std::span<const float> values) {
  std::array<double, sums_of_mean> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= values.size(); i += sums.size())
    for (std::size_t part = 0; part < sums.size(); ++part) sums[part] += values[i + part];
  for (std::size_t part = 0; i < values.size(); ++i, ++part) sums[part] += values[i];
  return std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace clopt::ecga
