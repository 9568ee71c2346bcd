/// \file
/// The order in which the ways to solve an instance are tried, apart from any device.
#pragma once

#include <clopt/subset_sum.hpp>

#include "sweep.hpp"

namespace clopt::subset_sum {

/// solve() with the device given as what it can do.
Result solve_with(const Instance& instance, const Options& options, const Sweeper& sweeper,
                  const RunControl& control = {});

}  // namespace clopt::subset_sum
