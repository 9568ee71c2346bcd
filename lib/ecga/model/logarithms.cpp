#include "logarithms.hpp"

#include <shared/elementary/double.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace clopt::ecga {
namespace {

constexpr int most_fraction = 34;

// 1 / ln 2 in two parts.
constexpr shared::DoublePair inverse_of_ln2{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};

// Fractions of logarithms, far beyond what the table needs.
constexpr int long_fraction = 80;
__extension__ using Long = unsigned __int128;

// In units of 2^-long_fraction, off by some 2^-64 of itself.
Long log2_of(double x) {
  const auto log2 = shared::clopt_multiply_pairs_double(shared::clopt_log_pair_double(x), inverse_of_ln2);
  const auto scaled = [](double part) { return static_cast<__int128>(std::ldexp(part, long_fraction)); };
  return static_cast<Long>(scaled(log2.high) + scaled(log2.low));
}

// factor * logarithm in units of 2^-fraction, to the nearest.
std::int64_t scaled(std::uint64_t factor, Long logarithm, int fraction) {
  const int surplus = long_fraction - fraction;
  return static_cast<std::int64_t>((factor * logarithm + (Long{1} << (surplus - 1))) >> surplus);
}

// A proper factor of each number, 0 of a prime.
std::vector<std::uint32_t> factors_below(std::size_t end) {
  std::vector<std::uint32_t> factors(end, 0);
  for (std::size_t prime = 2; prime * prime < end; ++prime)
    if (factors[prime] == 0)
      for (auto multiple = prime * prime; multiple < end; multiple += prime)
        factors[multiple] = static_cast<std::uint32_t>(prime);
  return factors;
}

}  // namespace

// x log2 x is below 2^(b + 5) for x below 2^b, since b is at most 32. Only logarithms of primes are computed: those of
// products are sums.
Logarithms::Logarithms(std::uint32_t individuals)
    : fraction(std::min(most_fraction, 61 - 5 - static_cast<int>(std::bit_width(individuals)))),
      unit(scaled(1, log2_of(static_cast<double>(individuals) + 1), fraction)),
      table(std::size_t{individuals} + 1) {
  const auto factors = factors_below(table.size());
  std::vector<Long> logarithms(table.size());
  for (std::size_t x = 2; x < table.size(); ++x) {
    const auto factor = factors[x];
    logarithms[x] = factor == 0 ? log2_of(static_cast<double>(x)) : logarithms[factor] + logarithms[x / factor];
    table[x] = scaled(x, logarithms[x], fraction);
  }
}

double Logarithms::bits(std::int64_t units) const { return std::ldexp(static_cast<double>(units), -fraction); }

}  // namespace clopt::ecga
