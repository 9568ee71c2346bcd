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

#include <fit/options.hpp>
#include "consecutive.hpp"
#include "rows.hpp"

namespace clopt::fit {

template <class Real>
Kernels<Real> build_kernels(Device& device, const Plan& plan) {
  const auto& problem = plan.problem;
  constexpr bool is_double = std::is_same_v<Real, double>;
  objective::require_device(device, plan.residuals, is_double);
  Program program;
  objective::prepare(program, plan.residuals, is_double, static_cast<std::uint32_t>(problem.parameters));
  program.defines.set("FIT_PARAMETERS", static_cast<std::int32_t>(problem.parameters))
      .set("FIT_DERIVATIVE", problem.model.has_derivative)
      .set("FIT_LOSS", static_cast<std::int32_t>(loss_of(plan.options.loss)))
      .set("FIT_BOUNDED", !problem.lower.empty() || !problem.upper.empty() || !problem.fixed.empty());
  program.quick_build = plan.quick_build && device.info().launches_are_calls;
  Kernels<Real> kernels;
  kernels.has_long_rows = has_long_rows(problem);
  BuildAhead ahead;
  if (kernels.has_long_rows) {
    program.defines.set("FIT_LONG_ROWS", true).set("FIT_LANES", takes_consecutive_data(problem.model));
    kernels.long_rows = build_long_rows<Real>(device, program, plan.residuals, plan.has_errors());
  } else {
    kernels.fit_rows = objective::build<operations::FitRows<Real>>(device, program, plan.residuals);
    if (plan.has_errors())
      kernels.find_errors = objective::build<operations::FindErrors<Real>>(device, program, plan.residuals);
  }
  ahead.finish();
  return kernels;
}

KernelsBeside::KernelsBeside(const Plan& plan, std::span<const std::shared_ptr<Device>> devices) {
  const auto build = [this, &plan, devices, hides = HiddenActivities::are_hidden()] {
    const HiddenActivities hidden(hides);
    const DroppedLaunches dropped(stop_token_);
    bool have_all = true;
    for (const auto& device : devices) try {
        if (stop_token_.stop_requested()) return;
        if (plan.is_double)
          build_kernels<double>(*device, plan);
        else
          build_kernels<float>(*device, plan);
      } catch (const std::exception& error) {
        // Where the run needs them, it builds them again, and reports it.
        have_all = false;
        log("build", fmt::format("no kernels of fits for {} beside a run: {}", device->info().id, error.what()));
      }
    has_built_ = have_all;
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

template Kernels<float> build_kernels(Device&, const Plan&);
template Kernels<double> build_kernels(Device&, const Plan&);

}  // namespace clopt::fit
