#include "mean_fitness.hpp"

#include <support/numbers/interleaved_sums.hpp>

#include <numeric>

namespace clopt::ecga {

MeanAndLeast mean_and_least(std::span<const float> values) {
  InterleavedSums<sums_of_mean> all;
  all.add(values);
  const auto& sums = all.sums();
  return {std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(values.size()), all.least()};
}

}  // namespace clopt::ecga
