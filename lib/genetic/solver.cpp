#include <clopt/error.hpp>
#include <device/borrow.hpp>
#include <device/first_launches.hpp>

#include <fmt/format.h>

#include <exception>

#include "run.hpp"

namespace clopt::genetic {
namespace {

template <class Real>
Result run_in(Request& request, Device& device, const Choice& choice) {
  switch (request.problem.objective.kind()) {
    case GeneKind::reals: return Run<Real, Real>(request, device, choice).finish();
    case GeneKind::integers: return Run<std::int32_t, Real>(request, device, choice).finish();
    default: return Run<std::uint32_t, Real>(request, device, choice).finish();
  }
}

// Refuses what does not fit before anything is allocated.
void require_memory(const Device& device, const Plan& plan) {
  const auto bytes = population_bytes(plan);
  const auto& info = device.info();
  if (bytes > info.max_allocation_bytes || 2 * bytes > info.global_memory_bytes)
    throw InvalidInput(
        fmt::format("the population takes {} bytes, twice, and {} ({}) gives {} bytes at once and has {} in all; give "
                    "a smaller `population`, or take another device",
                    bytes, info.id, info.name, info.max_allocation_bytes, info.global_memory_bytes));
}

Result run_on(Request& request, Device& device) {
  const auto& plan = request.plan;
  objective::require_device(device, request.problem.objective, plan.double_precision);
  require_memory(device, plan);
  const auto choice = choose_granularity(device, plan, request.problem.objective.is_batch_function());
  return plan.double_precision ? run_in<double>(request, device, choice) : run_in<float>(request, device, choice);
}

}  // namespace

Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
             const RunControl& control) {
  if (devices.empty()) throw InvalidInput("there is no device to run on; give one or more");
  const FirstLaunches first_launches(devices);
  const Watch watch(control);
  const Options all = complete(problem, options);
  const Plan plan = make_plan(problem, all, control);
  devices.front()->begin_self_test("genetic");
  Request request{problem, all, plan, watch, control.progress_interval};
  std::vector<std::string> failures;
  std::exception_ptr failure;
  for (const auto& device : devices) {
    try {
      auto result = run_on(request, *device);
      result.failures = std::move(failures);
      first_launches.move_to_build(result.seconds);
      return result;
    } catch (const DeviceError& error) {
      failure = std::current_exception();
      failures.push_back(fmt::format("{}: {}", device->info().id, error.what()));
    } catch (const InvalidInput& error) {
      // A device that another one's work does not fit has failed, too; of the first one it is the caller's error.
      if (!failure) throw;
      failures.push_back(fmt::format("{}: {}", device->info().id, error.what()));
    }
  }
  std::rethrow_exception(failure);
}

Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control) {
  const std::shared_ptr<Device> borrowed[] = {borrow(device)};
  return solve(problem, options, borrowed, control);
}

}  // namespace clopt::genetic
