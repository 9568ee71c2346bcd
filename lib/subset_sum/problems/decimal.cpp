#include "decimal.hpp"
#include <clopt/error.hpp>

#include <fmt/format.h>

namespace clopt::subset_sum {

std::optional<std::int64_t> with_decimals(const Decimal& number, unsigned decimals) {
  constexpr auto largest = std::numeric_limits<std::int64_t>::max() / 10;
  auto digits = number.digits;
  for (unsigned i = number.decimals; i < decimals; ++i) {
    if (digits > largest || digits < -largest) return std::nullopt;
    digits *= 10;
  }
  return digits;
}

Decimal decimal_of(std::string_view text) {
  DecimalReader reader;
  for (const char c : text) reader.take(c);
  const auto number = reader.value();
  if (!number)
    throw InvalidInput(fmt::format(
        "'{}' is {}; give an integer up to 2^63-1 in magnitude, or decimals, such as -12.50, of at most 18 digits",
        printable(text), reader.fault()));
  return *number;
}

std::string text_of(const Decimal& number) {
  const bool is_negative = number.digits < 0;
  // The least integer has no positive counterpart.
  const auto magnitude = is_negative ? 0 - static_cast<std::uint64_t>(number.digits) : std::uint64_t(number.digits);
  auto text = fmt::format("{:0>{}}", magnitude, number.decimals + 1);
  if (number.decimals > 0) text.insert(text.size() - number.decimals, 1, '.');
  return is_negative ? "-" + text : text;
}

}  // namespace clopt::subset_sum
