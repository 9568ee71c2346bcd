/// \file
/// The sweep over the capacities on a device: the methods k1, k2 and k3 of the paper.
#pragma once

#include <clopt/run.hpp>
#include <string_view>

#include <subset_sum/reduction/plan.hpp>

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

/// Sweeps on a device with one of the methods that run there.
/// \throws DeviceError where the device fails, InvalidInput for a plan that the method cannot hold there, with sizes.
Found sweep_on_device(const Plan& plan, const SweepMethod& method, Device& device, const Watch& watch);

/// What a sweep takes at least: by k3 with checkpoints.
Wide sweep_need(const Plan& plan);

/// What such a sweep may take on a device, in bytes.
std::uint64_t sweep_memory(const Device& device);

}  // namespace clopt::subset_sum
