#include <device/solver_devices.hpp>

#include <differential_evolution/run/run.hpp>

namespace clopt::differential_evolution {

namespace {

Result finish(Run& run, const RunControl& control, const FirstLaunchTime& first_launch_time) {
  if (!run_distributed(run, control)) {
    if (run.plan().options.statistics)
      run_observed(run);
    else
      run_shared(run);
  }
  auto result = run.finish();
  first_launch_time.move_to_build(result.seconds);
  return result;
}

}  // namespace

Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
             const RunControl& control) {
  require_devices(devices);
  const FirstLaunchTime first_launch_time(devices);
  if (options.range) {
    const auto part = part_of(problem, options, control);
    Run run(part, devices, control);
    return finish(run, control, first_launch_time);
  }
  Run run(problem, options, devices, control);
  return finish(run, control, first_launch_time);
}

Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control) {
  const auto borrowed = non_owning(device);
  return solve(problem, options, std::span(&borrowed, 1), control);
}

}  // namespace clopt::differential_evolution
