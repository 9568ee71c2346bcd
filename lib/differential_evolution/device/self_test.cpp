#include <clopt/device.hpp>
#include <clopt/differential_evolution.hpp>

#include <fmt/format.h>

namespace clopt::differential_evolution {

std::string self_test(Device& device) {
  // Checked against a plain program that shares no code with this library, in tests/differential_evolution.
  constexpr std::uint64_t right = 0xe0ac679a3030ac14;
  Problem problem{Objective::named("sphere")};
  problem.dimensions = 3;
  problem.problems = 5;
  Options options;
  options.population = 7;
  options.generations = 20;
  // The usual method; others are made of the same functions. The classical algorithm has the fewest of them.
  options.method = "fused";
  options.adapt = "none";
  const auto result = solve(problem, options, device);
  if (result.checksum == right) return {};
  return fmt::format("{} ends 20 generations with checksum {:016x} in place of {:016x}", options.method,
                     result.checksum, right);
}

}  // namespace clopt::differential_evolution
