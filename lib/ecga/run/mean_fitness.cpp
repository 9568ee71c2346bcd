#include "mean_fitness.hpp"

#include <support/numbers/interleaved_sums.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <vector>

namespace clopt::ecga {
namespace {

template <class Real>
MeanAndLeast described(std::span<const Real> values) {
  InterleavedSums<sums_of_mean> all;
  all.add(values);
  const auto& sums = all.sums();
  const double mean = std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(values.size());
  if (std::isfinite(mean)) return {mean, all.least()};
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite),
               [](Real value) { return std::isfinite(value); });
  if (finite.empty() || finite.size() == values.size()) return {mean, all.least()};
  return described(std::span<const double>(finite));
}

}  // namespace

MeanAndLeast mean_and_least(std::span<const float> values) { return described(values); }
MeanAndLeast mean_and_least(std::span<const double> values) { return described(values); }

}  // namespace clopt::ecga
