/// \file
/// The mean of a population's fitness.
#pragma once

#include <support/side_by_side.hpp>

#include <cstddef>
#include <numeric>
#include <span>

namespace clopt::ecga {

inline constexpr std::size_t sums_of_mean = 8;

/// The mean and the least of some values.
struct MeanAndLeast {
  double mean = 0;
  double least = 0;
};

/// \param values one at least.
inline MeanAndLeast mean_and_least(std::span<const float> values) {
  SideBySide<sums_of_mean> all;
  all.add(values);
  const auto& sums = all.sums();
  return {std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(values.size()), all.least()};
}

}  // namespace clopt::ecga
