/// \file
/// The sweep over the capacities on a device: the methods k1, k2 and k3 of the paper.
#pragma once

#include <clopt/run.hpp>
#include <functional>
#include <string_view>

#include "plan.hpp"

namespace clopt {
class Device;
}

namespace clopt::subset_sum {

/// How a device sweeps.
struct SweepMethod {
  std::string_view name;                   ///< k1, k2, k3-16, k3-32 or k3-64
  std::string_view barrier = "xiao-feng";  ///< of k2
  std::string_view recovery = "auto";      ///< of k3: table, checkpoints, or the cheaper one that fits
};

/// How a method works on a plan on a device, so that the solver need not know it. A sweep leaves g as chapter 3.5.1
/// defines it, finds best_sum() and recover()s its items; it looks at the watch between launches.
struct Sweeper {
  std::function<Found(const Plan& plan, std::string_view method, const Watch& watch)> sweep;
  std::uint64_t memory_bytes = 0;  ///< what a sweep may take on the device
  double capacities_a_second = 1;  ///< a guess, to choose between methods
};

/// Sweeps on a device with one of the methods that run there.
/// \throws DeviceError where the device fails, InvalidInput for a plan that the method cannot hold there, with sizes.
Found sweep_on_device(const Plan& plan, const SweepMethod& method, Device& device, const Watch& watch);

/// What a sweep takes at least: by k3 with checkpoints.
Wide sweep_need(const Plan& plan);

/// What such a sweep may take on a device, in bytes.
std::uint64_t sweep_memory(const Device& device);

/// How many capacities a sweep does a second on a device, roughly.
double sweep_speed(const Device& device);

}  // namespace clopt::subset_sum
