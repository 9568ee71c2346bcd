/// \file
/// The order in which the ways to solve an instance are tried, apart from any device.
#pragma once

#include <clopt/subset_sum.hpp>
#include <functional>
#include <string_view>

#include <subset_sum/reduction/plan.hpp>
#include "cost.hpp"

namespace clopt::subset_sum {

/// What `auto` reckons with.
struct Resources {
  MemoryLimits memory;
  Speeds speeds;
};

/// How a plan is swept, so that the solver need not know a device. It leaves g as chapter 3.5.1 defines it, finds
/// best_sum() and recover()s its items; it looks at the watch between launches.
struct Sweeper {
  std::function<Found(const Plan& plan, std::string_view method, const Watch& watch)> sweep;
  std::function<Resources()> resources;  ///< asked only where `auto` must choose
};

/// solve() with the device given as what it can do.
Result solve_with(const Instance& instance, const Options& options, const Sweeper& sweeper,
                  const RunControl& control = {});

}  // namespace clopt::subset_sum
