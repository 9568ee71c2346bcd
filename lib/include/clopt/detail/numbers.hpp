/// \file
/// Numbers in texts, read strictly.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

namespace clopt {

/// The finite number that the whole of a text is; none where it is anything else or does not fit.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  if constexpr (std::is_floating_point_v<Number>)
    if (!std::isfinite(number)) return std::nullopt;
  return number;
}

/// The whole number that a text begins with; 0 where it begins with none that fits.
inline std::size_t leading_number(std::string_view text) {
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Finite numbers with commas between them; none where a part is not one.
template <class Number>
std::optional<std::vector<Number>> numbers_in(std::string_view text) {
  std::vector<Number> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    const auto number = number_in<Number>(text.substr(begin, end - begin));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    begin = end + 1;
  }
  return numbers;
}

}  // namespace clopt
