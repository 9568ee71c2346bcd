/// \file
/// Which granularity `auto` takes.
#pragma once

#include <clopt/device.hpp>

#include <string>

#include <genetic/plan.hpp>

namespace clopt::genetic {

struct GranularityChoice {
  Granularity granularity;
  std::string reason;
};

/// The granularity asked for, or the one that is likely to be the fastest.
GranularityChoice choose_granularity(Device& device, const Plan& plan, bool is_batch_function);

}  // namespace clopt::genetic
