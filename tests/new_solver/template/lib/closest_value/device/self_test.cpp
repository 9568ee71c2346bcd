#include <clopt/closest_value.hpp>

#include <fmt/format.h>

namespace clopt::closest_value {

std::string self_test(Device& device) {
  const auto result = solve({{90, 3, 14, 15}}, {.wanted = 12}, device);
  return result.index == 2 ? "" : fmt::format("the closest value is found at {}", result.index);
}

}  // namespace clopt::closest_value
