#include <clopt/device.hpp>
#include <clopt/ecga.hpp>

#include <fmt/format.h>

#include <device/solver_devices.hpp>

#include <ecga/run/evolution.hpp>

namespace clopt::ecga {

std::string self_test(Device& device) {
  // The state after two generations, to which other devices came, by the usual search.
  constexpr std::uint64_t known = 0xfd4eb7d8126ead13;
  Options options;
  options.population = 300;
  options.generations = 2;
  options.search = "greedy";
  // On whatever rank of a job.
  const std::shared_ptr<Device> devices[] = {non_owning(device)};
  const auto result = solve_by_process({find_objective("trap5"), 30}, options, devices, {});
  if (result.checksum == known) return {};
  return fmt::format("{} search by {} ends in state {:016x} in place of {:016x}", options.search, result.counting,
                     result.checksum, known);
}

}  // namespace clopt::ecga
