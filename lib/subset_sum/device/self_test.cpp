#include <clopt/device.hpp>
#include <clopt/subset_sum.hpp>

#include <fmt/format.h>

namespace clopt::subset_sum {

std::string self_test(Device& device) {
  // Found apart from this library: 6957 is reached by one subset only, and 7113 by none.
  const Instance instance{{4157, 3301, 2957, 2741, 2399, 1999, 1583, 1217}, 7113};
  constexpr std::uint64_t best = 6957;
  // The usual method.
  for (const char* recovery : {"table", "checkpoints"}) {
    Options options;
    options.method = "k3-32";
    options.recovery = recovery;
    options.reduce = false;
    const auto result = solve(instance, options, device);
    if (result.value != best || !result.optimal)
      return fmt::format("{} with {} gives {} in place of {}", options.method, recovery, result.value, best);
  }
  return {};
}

}  // namespace clopt::subset_sum
