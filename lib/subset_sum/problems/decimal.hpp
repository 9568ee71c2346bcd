/// \file
/// Numbers with a decimal point, exactly.
#pragma once

#include <clopt/detail/characters.hpp>
#include <clopt/subset_sum.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace clopt::subset_sum {

/// Takes a number character by character: a minus sign, digits, and a point with digits behind it.
class DecimalReader {
 public:
  void take(char c) {
    if (is_digit(c)) {
      const auto digit = static_cast<std::uint64_t>(c - '0');
      decimals_ += has_point_ ? 1 : 0;
      has_digits_ = true;
      is_large_ = is_large_ || digits_ > (largest - digit) / 10;
      if (!is_large_) digits_ = digits_ * 10 + digit;
    } else if (c == '-' && is_empty()) {
      is_negative_ = true;
    } else if (c == '.' && !has_point_) {
      has_point_ = true;
    } else {
      is_wrong_ = true;
      has_exponent_ = has_exponent_ || ((c == 'e' || c == 'E') && has_digits_);
    }
  }

  bool is_bad() const { return is_wrong_ || is_large_ || decimals_ > most_decimals; }
  bool has_point() const { return has_point_; }

  /// None where the word is not a number, or is too large.
  std::optional<Decimal> value() const {
    if (is_bad() || !has_digits_) return std::nullopt;
    const auto digits = static_cast<std::int64_t>(digits_);
    return Decimal{is_negative_ ? -digits : digits, decimals_};
  }

  /// Why value() is none.
  std::string_view fault() const {
    if (is_wrong_) return has_exponent_ ? "a number with an exponent, not written out" : "not a number";
    if (decimals_ > most_decimals) return "a number of too many decimals";
    return is_large_ ? "too large" : "not a number";
  }

 private:
  static constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
  static constexpr unsigned most_decimals = 18;

  bool is_empty() const { return !has_digits_ && !has_point_ && !is_negative_ && !is_wrong_; }

  std::uint64_t digits_ = 0;
  unsigned decimals_ = 0;
  bool has_digits_ = false;
  bool has_point_ = false;
  bool is_negative_ = false;
  bool is_large_ = false;
  bool is_wrong_ = false;
  bool has_exponent_ = false;
};

/// A number's digits with more decimals than it has, or as many; none above 2^63-1.
std::optional<std::int64_t> with_decimals(const Decimal& number, unsigned decimals);

}  // namespace clopt::subset_sum
