#include <clopt/error.hpp>

#include <fmt/format.h>

namespace clopt {

std::string printable(std::string_view text, std::size_t most, bool only_ascii) {
  std::string shown;
  unsigned char before = 0;
  for (const char c : text.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_control = byte < ' ' || byte == 0x7f || (before == 0xc2 && byte >= 0x80 && byte < 0xa0);
    if (is_control || (only_ascii && byte > 0x7f))
      shown += fmt::format("\\x{:02x}", byte);
    else
      shown += c;
    before = byte;
  }
  return text.size() > most ? shown + "..." : shown;
}

}  // namespace clopt
