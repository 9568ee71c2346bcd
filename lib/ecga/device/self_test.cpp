#include <clopt/device.hpp>
#include <clopt/ecga.hpp>

#include <fmt/format.h>

namespace clopt::ecga {

std::string self_test(Device& device) {
  // The state after two generations, to which other devices came, by the usual search.
  constexpr std::uint64_t known = 0xfd4eb7d8126ead13;
  Options options;
  options.population = 300;
  options.generations = 2;
  options.search = "greedy";
  const auto result = solve({find_objective("trap5"), 30}, options, device);
  if (result.checksum == known) return {};
  return fmt::format("{} search by {} ends in state {:016x} in place of {:016x}", options.search, result.counting,
                     result.checksum, known);
}

}  // namespace clopt::ecga
