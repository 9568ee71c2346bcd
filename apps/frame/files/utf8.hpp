/// \file
/// Characters of UTF-8 in texts of any bytes, as names of files are.
#pragma once

#include <cstddef>
#include <string_view>

namespace clopt::apps {

/// The bytes of the character that a text begins with; 0: it begins with none, or is empty.
inline std::size_t length_of_character(std::string_view text) {
  const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = at(0);
  const std::size_t length = text.empty()   ? 0
                             : first < 0x80 ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((at(i) & 0xc0U) != 0x80U) return 0;
  const bool is_overlong = (first == 0xe0 && at(1) < 0xa0) || (first == 0xf0 && at(1) < 0x90);
  const bool is_beyond = (first == 0xed && at(1) >= 0xa0) || (first == 0xf4 && at(1) >= 0x90);
  return is_overlong || is_beyond ? 0 : length;
}

}  // namespace clopt::apps
