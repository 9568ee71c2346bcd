#include "kernels.hpp"

#include <clopt/detail/activity.hpp>
#include <clopt/detail/dropped_launches.hpp>
#include <clopt/detail/run_times.hpp>
#include <clopt/error.hpp>
#include <device/kernels/build_ahead.hpp>
#include <objective/program.hpp>
#include <support/process/log.hpp>

#include <fmt/format.h>

#include <chrono>
#include <system_error>
#include <type_traits>
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

std::string Specialisation::likeness() const {
  return fmt::format("{} {} {} {} {} {} {}", is_double, is_bounded, loss, parameters, has_long_rows, has_lanes,
                     residuals->text());
}

template <class Real>
Kernels<Real> build_kernels(Device& device, const Specialisation& special) {
  const auto& residuals = *special.residuals;
  constexpr bool is_double = std::is_same_v<Real, double>;
  objective::require_device(device, residuals, is_double);
  Program program;
  objective::prepare(program, residuals, is_double, special.parameters);
  program.defines.set("FIT_PARAMETERS", static_cast<std::int32_t>(special.parameters))
      .set("FIT_DERIVATIVE", special.has_derivative)
      .set("FIT_LOSS", static_cast<std::int32_t>(special.loss))
      .set("FIT_BOUNDED", special.is_bounded);
  program.quick_build = special.quick_build && device.info().launches_are_calls;
  Kernels<Real> kernels;
  kernels.has_long_rows = special.has_long_rows;
  BuildAhead ahead;
  if (kernels.has_long_rows) {
    program.defines.set("FIT_LONG_ROWS", true).set("FIT_LANES", special.has_lanes);
    kernels.long_rows = build_long_rows<Real>(device, program, residuals, special.has_errors);
  } else {
    kernels.fit_rows = objective::build<operations::FitRows<Real>>(device, program, residuals);
    if (special.has_errors)
      kernels.find_errors = objective::build<operations::FindErrors<Real>>(device, program, residuals);
  }
  ahead.finish();
  return kernels;
}

bool build_beside(const Specialisation& special, const DeviceList& devices, const std::stop_token& stop) {
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

KernelsBeside::KernelsBeside(Specialisation special, DeviceList devices) {
  const auto build = [this, stop = stop_.get_token(), special = std::move(special), devices = std::move(devices),
                      hides = HiddenActivities::are_hidden()] {
    const HiddenActivities hidden(hides);
    has_built_ = build_beside(special, devices, stop);
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

bool KernelsBeside::has_finished() const {
  return !building_.valid() || building_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

template Kernels<float> build_kernels(Device&, const Specialisation&);
template Kernels<double> build_kernels(Device&, const Specialisation&);

}  // namespace clopt::fit
