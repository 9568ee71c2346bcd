#include <clopt/device.hpp>
#include <clopt/ecga.hpp>

#include <fmt/format.h>

namespace clopt::ecga {

/// Known answer of a short run on a device. \returns an empty text, or what is wrong.
std::string self_test(Device& device);

std::string self_test(Device& device) {
  // Two generations; the last state is one that other devices came to.
  constexpr std::uint64_t state = 0;
  for (const char* search : {"greedy", "mating"}) {
    Options options;
    options.population = 300;
    options.generations = 2;
    options.search = search;
    const auto result = solve({find_objective("trap5"), 20}, options, device);
    if (result.checksum != state)
      return fmt::format("{} search by {} ends in state {:016x} in place of {:016x}", search, result.counting,
                         result.checksum, state);
  }
  return {};
}

}  // namespace clopt::ecga
