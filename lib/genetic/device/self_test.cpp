#include <clopt/device.hpp>
#include <clopt/genetic.hpp>

#include <fmt/format.h>

namespace clopt::genetic {

std::string self_test(Device& device) {
  // Checked against a plain genetic algorithm that shares no code with this library, in tests/genetic.
  constexpr std::uint64_t right = 0x81b4b1af4e212e3f;
  Options options;
  options.seed = 5;
  options.population = 9;
  options.mutation = 0.01;
  options.generations = 4;
  options.granularity = "fused";
  const auto result = solve({Objective::named("onemax"), 70, {}, {}}, options, device);
  if (result.checksum != right)
    return fmt::format("four generations end with checksum {:016x} in place of {:016x}", result.checksum, right);
  return {};
}

}  // namespace clopt::genetic
