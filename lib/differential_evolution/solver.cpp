#include <device/solver_devices.hpp>
#include <objective/precision.hpp>
#include <run/timed_run.hpp>

#include <optional>
#include <string>
#include <vector>

#include <differential_evolution/options.hpp>
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
    std::vector<std::string> left_out;
    const bool is_double = precision_of(problem, options) == precision_names.of(Precision::double_precision);
    const auto able = objective::with_doubles(devices, is_double, left_out);
    // Which the run refers to.
    std::optional<Part> part;
    if (options.range) part.emplace(part_of(problem, options, control));
    auto run = part ? Run(*part, able, control) : Run(problem, options, able, control);
    auto result = finish(run, control);
    result.failures.insert(result.failures.begin(), left_out.begin(), left_out.end());
    return result;
  });
}

Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control) {
  const auto borrowed = non_owning(device);
  return solve(problem, options, std::span(&borrowed, 1), control);
}

}  // namespace clopt::differential_evolution
