#include <clopt/device.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <device/solver_devices.hpp>
#include <group/local_group.hpp>
#include <run/timed_run.hpp>
#include <subset_sum/device/tuning.hpp>
#include <subset_sum/run/ranks.hpp>
#include <subset_sum/run/run.hpp>
#include <subset_sum/sweep/sweep.hpp>

#include <new>

namespace clopt::subset_sum {
namespace {

// On the first of some devices, and what can be shared out on all.
Result solve_on(std::span<const std::shared_ptr<Device>> devices, const Instance& instance, const ParsedOptions& parsed,
                Reporter& reporter, Ranks& ranks) {
  auto& device = *devices.front();
  // Where `auto` tries a list, since nothing else fits, it must soon come to an end.
  constexpr std::uint64_t most_tried = std::uint64_t{1} << 24;
  const auto most_sums = parsed.method == Method::automatic ? std::optional(most_tried) : std::nullopt;
  const Sweeper sweeper{
      [&](const ReducedProblem& reduced, Method method, const Watch& watch) {
        auto found =
            method == Method::meet_in_the_middle
                ? ranks.meet_in_the_middle(reduced, devices, watch, parsed.range)
                : sweep_on_device(reduced, {method, parsed.barrier, parsed.recovery, most_sums, parsed.work_groups},
                                  device, watch);
        require_subset(reduced, found);
        return found;
      },
      [&] {
        // Found out before the speeds are looked up, the first time by a kernel.
        static_cast<void>(device.has_long_loops());
        return Resources{memory_limits_of(device), speeds_of(device)};
      }};
  try {
    return solve_with(instance, parsed, sweeper, reporter);
  } catch (const InternalError& error) {
    // What the host found out: another device may do better.
    throw DeviceError(fmt::format("{} ({}): {}", device.info().id, device.info().name, error.what()));
  }
}

Result solve_on(const Problem& instance, const Options& options, std::span<const std::shared_ptr<Device>> devices,
                const RunControl& control) {
  require_devices(devices);
  const ParsedOptions parsed = parse_options(instance, options, control);
  Reporter reporter(control);
  Ranks ranks(control);
  std::vector<std::string> failures;
  auto result = on_first_that_works(devices, failures, [&](std::size_t i) {
    return solve_on(devices.subspan(i), instance, parsed, reporter, ranks);
  });
  result.failures = std::move(failures);
  result.failures.insert(result.failures.end(), ranks.failures().begin(), ranks.failures().end());
  result.devices = ranks.parts();
  result.cluster = ranks.report();
  if (devices.size() > 1 && !result.cluster && result.devices.empty())
    result.reason += group::one_of(devices.size(), ranks.why_alone());
  return result;
}

}  // namespace

Result solve(const Problem& instance, const Options& options, std::span<const std::shared_ptr<Device>> devices,
             const RunControl& control) try {
  return timed([&] { return solve_on(instance, options, devices, control); });
} catch (const std::bad_alloc&) {
  throw OutOfMemory(
      fmt::format("subset-sum: the host's memory is exhausted: {} `weights` by `method` {}; choose one that takes less",
                  instance.weights.size(), options.method));
}

Result solve(const Problem& instance, const Options& options, Device& device, const RunControl& control) {
  const auto borrowed = non_owning(device);
  return solve(instance, options, std::span(&borrowed, 1), control);
}

}  // namespace clopt::subset_sum
