/// \file
/// Solvers share devices; a caller may only lend one.
#pragma once

#include <clopt/device.hpp>

#include <memory>

namespace clopt {

/// A handle of a device that does not own it: for the time of a call.
inline std::shared_ptr<Device> borrow(Device& device) { return {std::shared_ptr<void>(), &device}; }

}  // namespace clopt
