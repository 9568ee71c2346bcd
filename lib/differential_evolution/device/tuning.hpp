/// \file
/// What was measured on a device, remembered between runs.
#pragma once

#include <clopt/device.hpp>

#include <cstdint>

namespace clopt::differential_evolution {

/// The largest population of a single problem that `fused` completes sooner than `merged` does: what tune() found,
/// else an estimate.
std::uint32_t most_for_a_group(const Device& device);

}  // namespace clopt::differential_evolution
