/// \file
/// The kernels of a run on a device.
#pragma once

#include <clopt/device.hpp>

#include <future>
#include <memory>
#include <span>

#include <fit/operations.hpp>
#include <fit/plan.hpp>
#include "long_rows.hpp"

namespace clopt::fit {

template <class Real>
struct Kernels {
  bool has_long_rows = false;
  LongRowsKernels<Real> long_rows;  ///< where there are
  Kernel<operations::FitRows<Real>> fit_rows;
  Kernel<operations::FindErrors<Real>> find_errors;
};

/// \throws as objective::build().
template <class Real>
Kernels<Real> build_kernels(Device& device, const Plan& plan);

/// Builds them while a search for guesses builds its own and runs. What does not build, the fits report.
std::future<void> build_kernels_beside(const Plan& plan, std::span<const std::shared_ptr<Device>> devices);

}  // namespace clopt::fit
