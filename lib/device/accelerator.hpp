/// \file
/// The device that runs may move to where the work chooses the device: the first GPU, or the one that the environment's
/// CLOPT_ACCELERATOR names.
#pragma once

#include <clopt/device.hpp>

#include <memory>

namespace clopt {

/// Looks for it and opens it, which may take seconds the first time. \throws NoDevice where there is none.
std::shared_ptr<Device> open_accelerator(const DeviceOptions& options);
/// The one that open_accelerator() has opened; null where it is not open. At once.
std::shared_ptr<Device> find_accelerator(const DeviceOptions& options);

}  // namespace clopt
