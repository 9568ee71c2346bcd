#include <clopt/device.hpp>
#include <clopt/differential_evolution.hpp>

#include <fmt/format.h>

namespace clopt::differential_evolution {

/// Known answer of a short run on a device. \returns an empty text, or what is wrong.
std::string self_test(Device& device);

std::string self_test(Device& device) {
  Problem problem{Objective::named("sphere")};
  problem.dimensions = 3;
  problem.problems = 5;
  Options options;
  options.population = 7;
  options.generations = 20;
  std::uint64_t first = 0;
  for (const char* method : {"fused", "merged"}) {
    options.method = method;
    const auto result = solve(problem, options, device);
    if (first == 0) first = result.checksum;
    if (result.checksum != first)
      return fmt::format("{} gives the checksum {:016x} in place of {:016x}", method, result.checksum, first);
    for (std::size_t k = 0; k < problem.problems; ++k) {
      const auto* const x = result.parameters.data() + 3 * k;
      // The objective's order of summation, in floats, which are exact in doubles here but for their rounding.
      const float value =
          (static_cast<float>(x[0] * x[0]) + static_cast<float>(x[1] * x[1])) + static_cast<float>(x[2] * x[2]);
      if (static_cast<double>(value) != result.values[k])
        return fmt::format("{} gives the value {} where its vector has {}", method, result.values[k], value);
    }
  }
  return {};
}

}  // namespace clopt::differential_evolution
