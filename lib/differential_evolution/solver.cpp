#include <device/solver_devices.hpp>
#include <run/timed_run.hpp>

#include <differential_evolution/run/run.hpp>

namespace clopt::differential_evolution {

namespace {

Result finish(Run& run, const RunControl& control) {
  if (!run_distributed(run, control)) {
    if (run.plan().options.statistics)
      run_observed(run);
    else
      run_shared(run);
  }
  return run.finish();
}

}  // namespace

Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
             const RunControl& control) {
  return timed([&] {
    require_devices(devices);
    if (options.range) {
      const auto part = part_of(problem, options, control);
      Run run(part, devices, control);
      return finish(run, control);
    }
    Run run(problem, options, devices, control);
    return finish(run, control);
  });
}

Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control) {
  const auto borrowed = non_owning(device);
  return solve(problem, options, std::span(&borrowed, 1), control);
}

}  // namespace clopt::differential_evolution
