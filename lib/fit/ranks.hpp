/// \file
/// Fits that the ranks of a job share.
#pragma once

#include <clopt/fit.hpp>

#include <memory>
#include <optional>
#include <span>

#include "plan.hpp"

namespace clopt::fit {

/// As fit_here() by all ranks. \returns none outside a job; where they do not share it, this one's, with the reason.
/// \throws InvalidInput where this rank is not the first one.
std::optional<Result> fit_by_ranks(const Plan& plan, const WorkRange& range,
                                   std::span<const std::shared_ptr<Device>> devices, const Watch& watch,
                                   const RunControl& control);

}  // namespace clopt::fit
