/// \file
/// Sweeps on the vector g itself: the paper's implementations 1 and 2.
#pragma once

#include <clopt/subset_sum.hpp>
#include <subset_sum/reduction/reduced_problem.hpp>

namespace clopt {
class Device;
}

namespace clopt::subset_sum {

/// The paper's implementation 1 (chapter 5.2, algorithms 12 and 13): a launch an item, over the capacities of its
/// range. Needs 4 bytes a capacity. \throws DeviceError, InternalError.
Found sweep_by_items(const ReducedProblem& reduced, Device& device, const Watch& watch);

/// The paper's implementation 2 (chapter 5.3, algorithms 14 to 16): capacities outside, items inside, in one launch
/// whose work-groups wait for each other at every block of capacities; items lighter than a block's capacities follow
/// as in implementation 1. On a device whose work-groups cannot wait for each other, a launch a block. \throws
/// DeviceError, InternalError.
Found sweep_by_blocks(const ReducedProblem& reduced, Barrier barrier, Device& device, const Watch& watch);

}  // namespace clopt::subset_sum
