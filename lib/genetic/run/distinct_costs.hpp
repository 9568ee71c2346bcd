/// \file
/// How many different costs a population has.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

namespace clopt::genetic {

/// Counts different numbers by a table of hashed ones, since to sort a population takes longer than to breed it.
template <class Real>
class DistinctCosts {
 public:
  /// \param costs none of them no number. Expected O(their number).
  std::uint64_t count(std::span<const Real> costs) {
    // At most half full, and twice as large at most.
    const auto size = std::bit_ceil(2 * costs.size());
    if (table_.size() != size) table_.assign(size, empty);
    const int shift = 64 - std::countr_zero(size);
    std::size_t found = 0;
    used_.resize(costs.size());
    for (const Real cost : costs) {
      // Zeros of both signs are equal.
      const Bits bits = std::bit_cast<Bits>(cost + Real{0});
      auto place = static_cast<std::size_t>((std::uint64_t{bits} * 0x9E37'79B9'7F4A'7C15U) >> shift);
      while (table_[place] != bits && table_[place] != empty) place = (place + 1) % size;
      if (table_[place] == bits) continue;
      table_[place] = bits;
      used_[found++] = place;
    }
    for (std::size_t i = 0; i < found; ++i) table_[used_[i]] = empty;
    return found;
  }

 private:
  using Bits = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
  static constexpr Bits empty = ~Bits{0};  // the bits of a NaN

  std::vector<Bits> table_;
  std::vector<std::size_t> used_;
};

}  // namespace clopt::genetic
