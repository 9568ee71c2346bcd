#include <clopt/error.hpp>

#include <fmt/format.h>

namespace clopt {

std::string printable(std::string_view text, std::size_t most, bool only_ascii) {
  std::string shown;
  for (const char c : text.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7f || (only_ascii && byte > 0x7f))
      shown += fmt::format("\\x{:02x}", byte);
    else
      shown += c;
  }
  return text.size() > most ? shown + "..." : shown;
}

}  // namespace clopt
