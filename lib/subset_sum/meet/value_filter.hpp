/// \file
/// A bit vector of hashed values: whether a value may have a partner.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace clopt::subset_sum {

/// For pairs of values (x, u) with u - x from 0 to width, both below a span of at most 2^62: marks values of one kind
/// and drops values of the other kind that have no partner, except a few. Values are hashed by keys of at least width
/// values each, so a partner's key is one of two.
class ValueFilter {
 public:
  /// Clears it, with room for about \p values marked values.
  void reset(std::size_t values, std::uint64_t width, std::uint64_t span) {
    const unsigned log = std::max(bits_of(values) + bits_a_value_log, 12U);
    words_.assign(std::size_t{1} << (log - 6), 0);
    place_shift_ = 64 - log;
    // Values that met by chance in one table must not meet in the next.
    multiplier_ = multiplier_ * 0xD134'2543'DE82'EF95U + 2;
    width_ = std::min(width, span - 1);
    // Coarser keys seldom make a value and its partner differ, finer ones distinguish more values.
    const unsigned finest = bits_of(width_);
    const unsigned coarsest = bits_of(span) - std::min(bits_of(span), log + 4);
    key_shift_ = std::clamp(coarsest, finest, finest + 6);
  }

  void mark_x(std::uint64_t x) {
    mark(x >> key_shift_);
    if (const std::uint64_t other = (x + width_) >> key_shift_; other != x >> key_shift_) mark(other);
  }
  void mark_u(std::uint64_t u) { mark(u >> key_shift_); }
  bool may_have_x(std::uint64_t u) const { return marked(u >> key_shift_); }
  bool may_have_u(std::uint64_t x) const {
    const std::uint64_t key = x >> key_shift_;
    const std::uint64_t other = (x + width_) >> key_shift_;
    return marked(key) || (other != key && marked(other));
  }

 private:
  static constexpr unsigned bits_a_value_log = 3;

  static unsigned bits_of(std::uint64_t value) { return static_cast<unsigned>(std::bit_width(value)); }
  std::uint64_t place(std::uint64_t key) const { return (key * multiplier_) >> place_shift_; }
  void mark(std::uint64_t key) { words_[place(key) / 64] |= std::uint64_t{1} << place(key) % 64; }
  bool marked(std::uint64_t key) const { return (words_[place(key) / 64] >> place(key) % 64 & 1) != 0; }

  std::vector<std::uint64_t> words_;
  std::uint64_t multiplier_ = 0x9E37'79B9'7F4A'7C15U;  ///< odd
  unsigned place_shift_ = 0;
  unsigned key_shift_ = 0;
  std::uint64_t width_ = 0;
};

}  // namespace clopt::subset_sum
