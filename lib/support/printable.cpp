#include <clopt/error.hpp>

#include <fmt/format.h>

namespace clopt {

std::string printable(std::string_view text, std::size_t most, bool only_ascii) {
  std::string shown;
  const auto cut = text.substr(0, most);
  const auto byte = [&](std::size_t i) { return i < cut.size() ? static_cast<unsigned char>(cut[i]) : 0U; };
  // Of U+0080 to U+009F.
  const auto is_lead = [&](std::size_t i) { return byte(i) == 0xc2 && byte(i + 1) >= 0x80 && byte(i + 1) < 0xa0; };
  for (std::size_t i = 0; i < cut.size(); ++i)
    if (byte(i) < ' ' || byte(i) == 0x7f || is_lead(i) || (i > 0 && is_lead(i - 1)) || (only_ascii && byte(i) > 0x7f))
      shown += fmt::format("\\x{:02x}", byte(i));
    else
      shown += cut[i];
  return text.size() > most ? shown + "..." : shown;
}

}  // namespace clopt
