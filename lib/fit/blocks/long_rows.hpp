/// \file
/// The kernels of long rows.
#pragma once

#include <clopt/device.hpp>
#include <clopt/objective.hpp>
#include <clopt/program.hpp>

#include <fit/operations.hpp>

namespace clopt::fit {

/// Those of kernels_cl/fit/long_rows.cl.
template <class Real>
struct LongRowsKernels {
  Kernel<operations::BeginLongRows<Real>> begin;
  Kernel<operations::EvaluateSections<Real>> evaluate;
  Kernel<operations::AddSections<Real>> add;
  Kernel<operations::AdvanceLongRows<Real>> advance;
  Kernel<operations::AdvanceErrors<Real>> advance_errors;  ///< where errors are asked for
};

/// \throws as objective::build().
template <class Real>
LongRowsKernels<Real> build_long_rows(Device& device, const Program& program, const Objective& residuals,
                                      bool with_errors);

}  // namespace clopt::fit
