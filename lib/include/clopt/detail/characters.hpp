/// \file
/// Kinds of characters in ASCII. Those of `cctype` depend on the locale that an application chooses.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace clopt {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// A text with its capital letters made small.
inline std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(text.begin(), text.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

}  // namespace clopt
