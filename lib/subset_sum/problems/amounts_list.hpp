/// \file
/// Numbers as they are read, in one unit at the end.
#pragma once

#include <clopt/subset_sum.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace clopt::subset_sum {

/// A list of decimals that grows.
class AmountsList {
 public:
  void add(const Decimal& number) {
    // Few texts have decimals: places for them are made at the first.
    if (number.decimals > 0 && decimals_.empty()) decimals_.resize(numbers_.size());
    if (number.decimals > 0 || !decimals_.empty()) {
      decimals_.push_back(static_cast<std::uint8_t>(number.decimals));
      most_decimals_ = number.decimals > most_decimals_ ? number.decimals : most_decimals_;
    }
    numbers_.push_back(number.digits);
  }
  bool is_empty() const { return numbers_.empty(); }

  /// The numbers, times the power of ten of the one with the most decimals, capacity and tolerance counted; the list is
  /// empty then. \param name of the text. \throws InvalidInput where the digits of one pass 2^63-1 then.
  Amounts finish(std::string_view name, const Decimal& capacity, const Decimal& tolerance);

 private:
  std::vector<std::int64_t> numbers_;   ///< their digits
  std::vector<std::uint8_t> decimals_;  ///< of each number; empty while there are none
  unsigned most_decimals_ = 0;
};

}  // namespace clopt::subset_sum
