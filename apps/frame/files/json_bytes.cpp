#include "json_bytes.hpp"

#include <algorithm>
#include <cstddef>

#include "utf8.hpp"

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
