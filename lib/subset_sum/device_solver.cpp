#include "meet_in_the_middle.hpp"
#include "solver.hpp"

namespace clopt::subset_sum {

Result solve(const Instance& instance, const Options& options, Device& device, const RunControl& control) {
  const Sweeper sweeper{[&](const Plan& plan, std::string_view method, const Watch& watch) {
                          if (method == "meet-in-the-middle") return meet_in_the_middle(plan, device, watch);
                          return sweep_on_device(plan, {method, options.barrier, options.recovery}, device, watch);
                        },
                        sweep_memory(device), sweep_speed(device)};
  return solve_with(instance, options, sweeper, control);
}

}  // namespace clopt::subset_sum
