#include "logarithms.hpp"

#include <shared/elementary_double.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace clopt::ecga {
namespace {

constexpr int most_fraction = 34;

// 1 / ln 2 in two parts.
constexpr shared::DoublePair inverse_of_ln2{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};

// factor * log2(x) in units of 2^-fraction, to the nearest; x > 0.
std::int64_t scaled_log2(double factor, double x, int fraction) {
  const auto log2 = shared::clopt_multiply_pairs_double(shared::clopt_log_pair_double(x), inverse_of_ln2);
  const auto product = shared::clopt_multiply_pairs_double({factor, 0}, log2);
  const double scale = std::ldexp(1.0, fraction);
  const double high = std::floor(product.high * scale);
  const double rest = (product.high * scale - high) + product.low * scale;
  return static_cast<std::int64_t>(high) + static_cast<std::int64_t>(std::floor(rest + 0.5));
}

}  // namespace

// x log2 x is below 2^(b + 5) for x below 2^b, since b is at most 32.
Logarithms::Logarithms(std::uint32_t individuals)
    : fraction(std::min(most_fraction, 61 - 5 - static_cast<int>(std::bit_width(individuals)))),
      unit(scaled_log2(1, static_cast<double>(individuals) + 1, fraction)),
      table(std::size_t{individuals} + 1) {
  for (std::size_t x = 2; x < table.size(); ++x)
    table[x] = scaled_log2(static_cast<double>(x), static_cast<double>(x), fraction);
}

double Logarithms::bits(std::int64_t units) const { return std::ldexp(static_cast<double>(units), -fraction); }

}  // namespace clopt::ecga
