/// \file
/// Sweeps on the vector g itself: the paper's implementations 1 and 2.
#pragma once

#include <clopt/run.hpp>
#include <subset_sum/plan.hpp>

namespace clopt {
class Device;
}

namespace clopt::subset_sum {

/// The paper's implementation 1 (chapter 5.2, algorithms 12 and 13): a launch an item, over the capacities of its range.
/// Needs 4 bytes a capacity. \throws DeviceError, InternalError.
Found sweep_by_items(const Plan& plan, Device& device, const Watch& watch);

}  // namespace clopt::subset_sum
