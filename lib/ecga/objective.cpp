#include "objective.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <charconv>

namespace clopt::ecga {

std::uint32_t trap_order(std::string_view name) {
  if (name == "onemax") return 1;
  constexpr std::string_view trap = "trap";
  std::uint32_t order = 0;
  if (name.starts_with(trap)) {
    const auto* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + trap.size(), end, order);
    if (error == std::errc{} && stop == end && order >= 2 && order <= 32) return order;
  }
  throw InvalidInput(fmt::format("ecga: there is no objective '{}'; choose onemax or trapK with K from 2 to 32", name));
}

}  // namespace clopt::ecga
