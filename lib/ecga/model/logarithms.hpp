/// \file
/// x log2 x in whole numbers, so that gains are the same on every device.
#pragma once

#include <cstdint>
#include <vector>

namespace clopt::ecga {

/// T[x] = x log2 x for x up to a population's size, and log2 of the size plus 1, in units of 2^-fraction bits.
///
/// They come from clopt's own logarithm in pairs of doubles, whose relative error is some 2^-64 and whose bits are the
/// same everywhere; each is rounded once, to the nearest. The fraction has 34 bits, or fewer for populations beyond
/// some 5 million, so that sums of four entries stay within 63 bits.
struct Logarithms {
  /// \param individuals from 1 to 2^31. O(individuals).
  explicit Logarithms(std::uint32_t individuals);

  int fraction;
  std::int64_t unit;
  std::vector<std::int64_t> table;

  /// The number of bits that a whole number of units is.
  double bits(std::int64_t units) const;
};

}  // namespace clopt::ecga
