#include <clopt/program.hpp>

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace clopt {
namespace {

// Hexadecimal, so that the compiler reads back the very bits.
template <class T>
std::string floating_text(T value, const char* suffix) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "(-INFINITY)";
  // fmt 9 writes `{:a}` with the decimal point of the application's locale.
  std::array<char, 32> digits{};
  const auto [end, error] =
      std::to_chars(digits.begin(), digits.end(), std::fabs(double{value}), std::chars_format::hex);
  return fmt::format("({}0x{}{})", std::signbit(value) ? "-" : "", std::string_view(digits.data(), end), suffix);
}

}  // namespace

Defines& Defines::set(const std::string& name, float value) { return set_text(name, floating_text(value, "f")); }
Defines& Defines::set(const std::string& name, double value) { return set_text(name, floating_text(value, "")); }

Defines& Defines::set_integer(const std::string& name, std::int64_t value, bool wide) {
  // The least value has no literal of its own.
  if (value < 0) return set_text(name, fmt::format("(-{}{}-1)", -(value + 1), wide ? "L" : ""));
  return set_text(name, fmt::format("{}{}", value, wide ? "L" : ""));
}

Defines& Defines::set_natural(const std::string& name, std::uint64_t value, bool wide) {
  return set_text(name, fmt::format("{}{}", value, wide ? "UL" : "U"));
}

Defines& Defines::set_text(const std::string& name, std::string text) {
  entries_[name] = std::move(text);
  return *this;
}

std::string_view Defines::find(const std::string& name) const {
  const auto entry = entries_.find(name);
  return entry == entries_.end() ? std::string_view{} : std::string_view(entry->second);
}

HostFunction::~HostFunction() = default;

}  // namespace clopt
