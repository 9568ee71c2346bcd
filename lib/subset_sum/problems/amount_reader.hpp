/// \file
/// Amounts as people write them.
#pragma once

#include <clopt/subset_sum.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace clopt::subset_sum {

/// Checks the characters of a format. \throws InvalidInput for one that cannot be what it is to be, or is two things.
void check_format(const AmountsFormat& format);

/// Reads amounts: a sign, brackets or a minus behind the digits for what is negative, a currency, groups of digits.
class AmountReader {
 public:
  explicit AmountReader(const AmountsFormat& format) : format_(format) {}

  /// \param text without white space around it. \returns none where it is not an amount: fault() has why.
  std::optional<Decimal> read(std::string_view text);
  /// Why the last text is not an amount, and what to give: a predicate, "is not a number".
  const std::string& fault() const { return fault_; }

  /// Takes a word that is a currency alone. \returns false where it is not one. Where it is another one than before,
  /// fault() has that.
  bool take_currency(std::string_view word);

  /// The bytes of a separator of groups of digits that a text begins with; 0: it begins with none.
  static std::size_t length_of_thousands(std::string_view text, std::string_view thousands);
  static bool is_currency(std::string_view word);

 private:
  bool note_currency(std::string_view currency);
  std::optional<Decimal> read_digits(std::string_view text, bool is_negative);
  std::string fault_of_digits(std::string_view text) const;

  const AmountsFormat& format_;
  std::string currency_;  ///< of all amounts; empty: none was seen
  std::string fault_;
};

}  // namespace clopt::subset_sum
