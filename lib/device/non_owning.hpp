/// \file
/// Solvers take shared devices; a caller may have a reference only.
#pragma once

#include <clopt/device.hpp>

#include <memory>

namespace clopt {

/// A handle of a device that does not own it: for the time of a call.
inline std::shared_ptr<Device> non_owning(Device& device) { return {std::shared_ptr<void>(), &device}; }

}  // namespace clopt
