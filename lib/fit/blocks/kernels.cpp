#include "kernels.hpp"

#include <clopt/detail/activity.hpp>
#include <clopt/detail/dropped_launches.hpp>
#include <clopt/detail/run_times.hpp>
#include <clopt/error.hpp>
#include <device/kernels/build_ahead.hpp>
#include <objective/program.hpp>
#include <support/process/log.hpp>

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include <fit/options.hpp>
#include "consecutive.hpp"
#include "rows.hpp"

namespace clopt::fit {

Specialisation::Specialisation(const Plan& plan)
    : residuals(plan.residuals),
      parameters(static_cast<std::uint32_t>(plan.problem.parameters)),
      loss(static_cast<std::uint32_t>(loss_of(plan.options.loss))),
      is_double(plan.is_double),
      has_derivative(plan.problem.model.has_derivative),
      is_bounded(!plan.problem.lower.empty() || !plan.problem.upper.empty() || !plan.problem.fixed.empty()),
      has_errors(plan.has_errors()),
      has_long_rows(fit::has_long_rows(plan.problem)),
      has_lanes(has_long_rows && takes_consecutive_data(plan.problem.model)),
      quick_build(plan.quick_build) {}

Specialisation Specialisation::optimised() const {
  auto other = *this;
  other.quick_build = false;
  return other;
}

Program program_of(const Specialisation& special, bool is_host) {
  Program program;
  objective::prepare(program, *special.residuals, special.is_double, special.parameters);
  program.defines.set("FIT_PARAMETERS", static_cast<std::int32_t>(special.parameters))
      .set("FIT_DERIVATIVE", special.has_derivative)
      .set("FIT_LOSS", static_cast<std::int32_t>(special.loss))
      .set("FIT_BOUNDED", special.is_bounded);
  if (special.has_long_rows) program.defines.set("FIT_LONG_ROWS", true).set("FIT_LANES", special.has_lanes);
  program.quick_build = special.quick_build && is_host;
  return program;
}

template <class Real>
Kernels<Real> build_kernels(Device& device, const Specialisation& special) {
  const auto& residuals = *special.residuals;
  objective::require_device(device, residuals, special.is_double);
  const auto program = program_of(special, device.info().launches_are_calls);
  Kernels<Real> kernels;
  kernels.has_long_rows = special.has_long_rows;
  BuildAhead ahead;
  if (kernels.has_long_rows) {
    kernels.long_rows = build_long_rows<Real>(device, program, residuals, special.has_errors);
  } else {
    kernels.fit_rows = objective::build<operations::FitRows<Real>>(device, program, residuals);
    if (special.has_errors)
      kernels.find_errors = objective::build<operations::FindErrors<Real>>(device, program, residuals);
  }
  ahead.finish();
  return kernels;
}

bool build_beside(const Specialisation& special, const std::vector<std::shared_ptr<Device>>& devices,
                  const std::stop_token& stop) {
  const DroppedLaunches dropped(stop);
  bool have_all = true;
  for (const auto& device : devices) try {
      if (stop.stop_requested()) return false;
      if (special.is_double)
        build_kernels<double>(*device, special);
      else
        build_kernels<float>(*device, special);
    } catch (const std::exception& error) {
      // Where a run needs them, it builds them again, and reports it.
      have_all = false;
      log("build", fmt::format("no kernels of fits for {} beside a run: {}", device->info().id, error.what()));
    }
  return have_all;
}

KernelsBeside::KernelsBeside(Specialisation special, std::vector<std::shared_ptr<Device>> devices) {
  const auto build = [stop = stop_.get_token(), special = std::move(special), devices = std::move(devices),
                      hides = HiddenActivities::are_hidden()] {
    const HiddenActivities hidden(hides);
    build_beside(special, devices, stop);
  };
  try {
    building_ = std::async(std::launch::async, build);
  } catch (const std::system_error&) {
    // There is no thread to be had.
  }
}

void KernelsBeside::finish() {
  const TimedPart waiting(TimePart::build);
  if (building_.valid()) building_.wait();
}

template Kernels<float> build_kernels(Device&, const Specialisation&);
template Kernels<double> build_kernels(Device&, const Specialisation&);

}  // namespace clopt::fit
