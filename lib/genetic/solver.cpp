#include <clopt/error.hpp>
#include <device/solver_devices.hpp>
#include <group/distribution.hpp>
#include <group/local_group.hpp>
#include <objective/precision.hpp>
#include <run/timed_run.hpp>

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <genetic/run/ranks.hpp>
#include <genetic/run/run.hpp>
#include "device_setup.hpp"

namespace clopt::genetic {
namespace {

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
  const auto choice = choose_on(device, request.problem, request.plan);
  return with_types(request.problem.objective.kind(), request.plan.double_precision,
                    [&]<class Element, class Real>(std::type_identity<Element>, std::type_identity<Real>) {
                      return Run<Element, Real>(request, device, choice).finish();
                    });
}

// On the first of the devices that does not fail.
Result run_on_one(Request& request, std::span<const std::shared_ptr<Device>> devices) {
  std::vector<std::string> failures;
  std::exception_ptr failure;
  for (std::size_t number = 0; number < devices.size(); ++number) {
    const auto& device = devices[number];
    request.others = devices.subspan(number + 1);
    try {
      auto result = run_on(request, *device);
      result.failures.insert(result.failures.begin(), failures.begin(), failures.end());
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

// Islands on all devices that are alike. Where one fails, all begin again without it.
Result run_here(Request& request, std::span<const std::shared_ptr<Device>> devices, const RunControl& control) {
  std::vector<std::string> failures;
  std::string why_one;
  for (; why_one.empty() && devices.size() > 1; devices = devices.subspan(1)) {
    const auto members = group::alike(devices);
    why_one =
        members.size() == 1 ? "the others are of another kind" : why_alone(request, static_cast<int>(members.size()));
    if (!why_one.empty()) break;
    try {
      group::LocalGroup group(members);
      cluster::Report report;
      auto result = solve_by_group(group, request, std::span(members).first(1), control, report);
      result.devices = group::parts_of(members, report);
      result.failures.insert(result.failures.begin(), failures.begin(), failures.end());
      return result;
    } catch (const DeviceError& error) {
      failures.emplace_back(error.what());
    }
  }
  auto result = run_on_one(request, devices);
  result.failures.insert(result.failures.begin(), failures.begin(), failures.end());
  if (!why_one.empty() && result.devices.empty()) result.reason += group::one_of(devices.size(), why_one);
  return result;
}

Result run_in_job(Request& request, std::span<const std::shared_ptr<Device>> devices, const RunControl& control) {
  auto* const job = group::Group::of_run();
  if (!job) return run_here(request, devices, control);
  const auto alone = job->ranks() == 1 ? std::string("there is one rank") : why_alone(request, job->ranks());
  auto report = group::report_of_one(*job, alone);
  auto result =
      alone.empty() ? solve_by_group(*job, request, devices, control, report) : run_here(request, devices, control);
  result.cluster = std::make_shared<const cluster::Report>(std::move(report));
  return result;
}

Result solve_on(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
                const RunControl& control) {
  require_devices(devices);
  const Watch watch(control);
  const Options all = complete(problem, options);
  const Plan plan = make_plan(problem, all, control);
  std::vector<std::string> left_out;
  const auto able = objective::with_doubles(devices, plan.double_precision, left_out);
  able.front()->begin_self_test("genetic");
  Request request{problem, all, plan, watch, control.progress_interval};
  auto result = run_in_job(request, able, control);
  result.failures.insert(result.failures.begin(), left_out.begin(), left_out.end());
  return result;
}

}  // namespace

GranularityChoice choose_on(Device& device, const Problem& problem, const Plan& plan) {
  objective::require_device(device, problem.objective, plan.double_precision, why_doubles(problem));
  require_memory(device, plan);
  return choose_granularity(device, plan, problem.objective.is_batch_function());
}

Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
             const RunControl& control) {
  return timed([&] { return solve_on(problem, options, devices, control); });
}

Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control) {
  const std::shared_ptr<Device> borrowed[] = {non_owning(device)};
  return solve(problem, options, borrowed, control);
}

}  // namespace clopt::genetic
