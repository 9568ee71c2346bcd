/// \file
/// About how many subsets have a sum.
#include <clopt/subset_sum.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <numeric>

namespace clopt::subset_sum {
namespace {

/// The cumulants of a sum to which each number belongs with the odds e^(tilt number).
struct Cumulants {
  double logarithm = 0;  ///< of the generating function
  double mean = 0;
  double variance = 0;
};

Cumulants cumulants_of(const std::vector<std::int64_t>& numbers, double unit, double tilt) {
  Cumulants sums;
  for (const auto each : numbers) {
    const auto number = static_cast<double>(each) / unit;
    const auto exponent = tilt * number;
    const auto part = 1 / (1 + std::exp(-exponent));
    sums.logarithm += std::max(exponent, 0.0) + std::log1p(std::exp(-std::fabs(exponent)));
    sums.mean += number * part;
    sums.variance += number * number * part * (1 - part);
  }
  return sums;
}

}  // namespace

double expected_subsets(const Amounts& amounts, std::int64_t sum) {
  std::uint64_t divisor = 0;
  double unit = 1;
  for (const auto number : amounts.numbers) {
    divisor = std::gcd(divisor, static_cast<std::uint64_t>(std::abs(number)));
    unit = std::max(unit, std::fabs(static_cast<double>(number)));
  }
  const auto wanted = static_cast<double>(sum) / unit;
  // The mean grows with the tilt.
  double low = -1e6;
  double high = 1e6;
  constexpr int halvings = 80;
  for (int i = 0; i < halvings; ++i) {
    const auto middle = (low + high) / 2;
    (cumulants_of(amounts.numbers, unit, middle).mean < wanted ? low : high) = middle;
  }
  const auto sums = cumulants_of(amounts.numbers, unit, low);
  if (!(sums.variance > 0)) return -std::numeric_limits<double>::infinity();
  // The probability of the sum: a step of the lattice by the normal density there, which is too much where few numbers
  // are free.
  const auto step = static_cast<double>(divisor) / unit;
  const auto probability = std::log(step) - std::log(2 * std::numbers::pi * sums.variance) / 2;
  return (sums.logarithm - low * wanted + std::min(probability, 0.0)) / std::numbers::ln10;
}

}  // namespace clopt::subset_sum
