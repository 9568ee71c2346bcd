#include <clopt/closest_value.hpp>

#include <fmt/format.h>

namespace clopt::closest_value {

std::optional<std::string> tune(Device& device, const RunControl& control) {
  constexpr std::size_t count = 100'000;
  const auto result = solve({std::vector<std::uint64_t>(count, 7)}, {.wanted = 5}, device, control);
  if (result.interrupted()) return std::nullopt;
  return fmt::format(R"({{"values_a_second": {:.0f}}})", count / result.seconds.total);
}

}  // namespace clopt::closest_value
