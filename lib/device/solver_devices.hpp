/// \file
/// The devices that a solver is given.
#pragma once

#include <clopt/device.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>

namespace clopt {

/// A handle of a device that does not own it, for callers that have a reference only: for the time of a call.
inline std::shared_ptr<Device> non_owning(Device& device) { return {std::shared_ptr<void>(), &device}; }

/// \throws InvalidInput where there is none, or one is null.
inline void require_devices(std::span<const std::shared_ptr<Device>> devices) {
  if (devices.empty()) throw InvalidInput("`devices` is empty; give at least one device to run on");
  const auto missing = std::find(devices.begin(), devices.end(), nullptr);
  if (missing != devices.end())
    throw InvalidInput(fmt::format("`devices` has a null pointer, number {} of {}; give devices that were opened",
                                   missing - devices.begin() + 1, devices.size()));
}

}  // namespace clopt
