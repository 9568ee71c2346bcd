/// \file
/// Runs whose rows are fitted part by part, so that a checkpoint has those that are done.
#pragma once

#include <clopt/fit.hpp>

#include <functional>

#include "plan.hpp"

namespace clopt::fit {

/// Fits some rows, within the limits of a control.
using FitPart = std::function<Result(const WorkRange&, const RunControl&)>;

/// Fits a range from what Options::resume has on, and writes Options::checkpoint. The result is that of the range as
/// one part. \throws InvalidInput for the checkpoint of another run, and as `fit`, after the last checkpoint.
Result fit_in_parts(const Plan& plan, const WorkRange& range, const RunControl& control, const FitPart& fit);

}  // namespace clopt::fit
