#include <clopt/device.hpp>

#include <algorithm>

#include <subset_sum/meet/meet_in_the_middle.hpp>
#include <subset_sum/sweep/sweep.hpp>
#include <support/memory.hpp>
#include "solver.hpp"
#include "tuning.hpp"

namespace clopt::subset_sum {
namespace {

MemoryLimits memory_limits(const Device& device) {
  const std::uint64_t host = available_memory();
  const std::uint64_t own = sweep_memory(device);
  return {device.info().kind == DeviceKind::cpu ? std::min(own, host) : own, host};
}

}  // namespace

Result solve(const Instance& instance, const Options& options, Device& device, const RunControl& control) {
  const Sweeper sweeper{[&](const Plan& plan, std::string_view method, const Watch& watch) {
                          if (method == "meet-in-the-middle") return meet_in_the_middle(plan, device, watch);
                          return sweep_on_device(plan, {method, options.barrier, options.recovery}, device, watch);
                        },
                        [&] {
                          return Resources{memory_limits(device), speeds_of(device)};
                        }};
  return solve_with(instance, options, sweeper, control);
}

}  // namespace clopt::subset_sum
