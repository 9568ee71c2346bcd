#include <clopt/program.hpp>

#include <fmt/format.h>

#include <cmath>

namespace clopt {
namespace {

// Hexadecimal, so that the compiler reads back the very bits.
template <class T>
std::string floating_text(T value, const char* suffix) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "(-INFINITY)";
  return fmt::format("({:a}{})", value, suffix);
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
