/// \file
/// The walk back from a sum, on the device that holds g.
#pragma once

#include <clopt/device.hpp>
#include <subset_sum/operations.hpp>
#include <subset_sum/reduction/reduced_problem.hpp>

#include <clopt/run.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace clopt::subset_sum {

/// Takes item g(s) and continues with s - w_g(s), until 0 (chapter 3.3). \returns positions in ReducedProblem::weights,
/// or nothing where the watch ended the run. \throws InternalError where g is not what a sweep leaves.
std::optional<std::vector<std::uint32_t>> walk_back_on_device(Device& device, Queue& queue,
                                                              const Kernel<operations::WalkBack>& kernel,
                                                              const Buffer<const std::uint32_t>& g,
                                                              const ReducedProblem& reduced, std::uint64_t sum,
                                                              const Watch& watch);

}  // namespace clopt::subset_sum
