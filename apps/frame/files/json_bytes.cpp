#include "json_bytes.hpp"

#include <algorithm>
#include <cstddef>

namespace clopt::apps {
namespace {

// U+10FE00 to U+10FEFF, a character a byte: F4 8F, then the byte's first two bits and its last six.
constexpr std::string_view lead = "\xf4\x8f";
constexpr unsigned first_two = 0xb8;
constexpr unsigned last_six = 0x80;
constexpr std::size_t length = 4;

bool is_byte(std::string_view text) {
  return text.size() >= length && text.starts_with(lead) && (static_cast<unsigned char>(text[2]) & ~3U) == first_two &&
         (static_cast<unsigned char>(text[3]) & ~63U) == last_six;
}

// The length of the character of UTF-8 at the beginning of a text that is not empty; 0: there is none.
std::size_t length_of_character(std::string_view text) {
  const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned lead_byte = at(0);
  if (lead_byte < 0x80) return 1;
  const std::size_t bytes = lead_byte < 0xc2   ? 0
                            : lead_byte < 0xe0 ? 2
                            : lead_byte < 0xf0 ? 3
                            : lead_byte < 0xf5 ? 4
                                               : 0;
  for (std::size_t i = 1; i < bytes; ++i)
    if ((at(i) & 0xc0U) != 0x80U) return 0;
  // Longer than needed, surrogates, and beyond U+10FFFF.
  const bool is_wrong = (lead_byte == 0xe0 && at(1) < 0xa0) || (lead_byte == 0xed && at(1) >= 0xa0) ||
                        (lead_byte == 0xf0 && at(1) < 0x90) || (lead_byte == 0xf4 && at(1) >= 0x90);
  return is_wrong ? 0 : bytes;
}

}  // namespace

std::string utf8_of(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const auto whole = is_byte(bytes) ? 0 : length_of_character(bytes);
    if (whole == 0) {
      const auto byte = static_cast<unsigned char>(bytes.front());
      text.append(lead);
      text += static_cast<char>(first_two | byte >> 6);
      text += static_cast<char>(last_six | (byte & 63U));
    } else {
      text.append(bytes.substr(0, whole));
    }
    bytes.remove_prefix(std::max<std::size_t>(whole, 1));
  }
  return text;
}

std::string bytes_of(std::string_view utf8) {
  std::string bytes;
  while (!utf8.empty()) {
    const bool is_one = is_byte(utf8);
    bytes +=
        is_one ? static_cast<char>((static_cast<unsigned>(utf8[2]) & 3U) << 6 | (static_cast<unsigned>(utf8[3]) & 63U))
               : utf8.front();
    utf8.remove_prefix(is_one ? length : 1);
  }
  return bytes;
}

void change_texts(Json& value, std::string (*change)(std::string_view)) {
  if (value.is_string())
    value = change(value.get_ref<const std::string&>());
  else if (value.is_structured())
    for (auto& each : value) change_texts(each, change);
}

}  // namespace clopt::apps
