/// \file
/// The sweep over the capacities on a device: the methods k1, k2 and k3 of the paper, and sparse.
#pragma once

#include <clopt/subset_sum.hpp>
#include <optional>
#include <string>

#include <subset_sum/reduction/reduced_problem.hpp>

namespace clopt {
class Device;
}

namespace clopt::subset_sum {

/// How a device sweeps.
struct SweepMethod {
  Method method;                               ///< k1, k2, one of the k3, or sparse
  Barrier barrier = Barrier::xiao_feng;        ///< of k2
  Recovery recovery = Recovery::automatic;     ///< of k3
  std::optional<std::uint64_t> most_sums{};    ///< of sparse: in its list, where there is room; none: any number
  std::optional<std::uint32_t> work_groups{};  ///< of k3 with a table; none: as many as there is work for
};

/// Sweeps on a device with one of the methods that run there.
/// \throws DeviceError where the device fails, InvalidInput for a reduced problem that the method cannot hold there,
/// with sizes.
Found sweep_on_device(const ReducedProblem& reduced, const SweepMethod& method, Device& device, const Watch& watch);

/// Why a device cannot hold a sweep, with the sizes; empty where it can, by what it has and, where that is the host's
/// memory, by what is left of it now.
std::string sweep_refusal(const ReducedProblem& reduced, const SweepMethod& method, const Device& device);

/// What a sweep may take of a device's memory, in bytes; where that is the host's, what is left of it now.
double memory_left(const Device& device, double need);

/// What a sweep by k3 with checkpoints, the one that takes the least, may take on a device, in bytes.
std::uint64_t sweep_memory(const Device& device);

}  // namespace clopt::subset_sum
