/// \file
/// Runs whose rows are fitted part by part, so that a checkpoint has those that are done.
#pragma once

#include <clopt/fit.hpp>

#include <functional>

#include <fit/plan.hpp>

namespace clopt::fit {

/// Fits some rows, within the limits of a control.
using FitPart = std::function<Result(const WorkRange&, const RunControl&)>;

/// Fits a range from where Options::resume ends, and writes Options::checkpoint. The result is that of the range as one
/// part. \param watch of the run, with that control. \throws InvalidInput for the checkpoint of another run; and what
/// `fit` throws, once a last checkpoint is written.
Result fit_in_parts(const Plan& plan, const WorkRange& range, const Watch& watch, const RunControl& control,
                    const FitPart& fit);

}  // namespace clopt::fit
