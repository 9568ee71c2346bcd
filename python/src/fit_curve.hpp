/// \file
/// The curve of a row, as Python gets it.
#pragma once

#include <clopt/differential_evolution.hpp>

#include <string>

#include "arrays.hpp"
#include "control.hpp"

namespace clopt::python {

/// \param problem of one row. \param parameters of it.
template <class Problem>
differential_evolution::FitCurve curve_of(const Problem& problem, const Numbers<double>& parameters,
                                          const std::string& precision, const OpenDevice& device) {
  const auto vector = vector_of(parameters);
  const nb::gil_scoped_release others_may_run;
  return fit_curve(problem, 0, vector, precision, *device.device);
}

}  // namespace clopt::python
