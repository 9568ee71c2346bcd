/// \file
/// The key under which the cache keeps findings about a device.
#pragma once

#include <clopt/device.hpp>

#include <string>

namespace clopt {

/// A text that changes with the device, its driver, the sub-groups asked for, this version of clopt and its kernels.
std::string device_key(const DeviceInfo& info);

}  // namespace clopt
