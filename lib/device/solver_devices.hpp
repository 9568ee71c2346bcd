/// \file
/// The devices that a solver is given.
#pragma once

#include <clopt/device.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

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

/// What `work(number)` returns for the first of some devices that does not fail, and why the ones before did.
/// \throws DeviceError of the last one.
template <class Work>
auto on_first_that_works(std::span<const std::shared_ptr<Device>> devices, std::vector<std::string>& failures,
                         const Work& work) {
  for (std::size_t i = 0;; ++i) {
    try {
      return work(i);
    } catch (const DeviceError& error) {
      if (i + 1 == devices.size()) throw;
      failures.push_back(fmt::format("{}: {}", devices[i]->info().id, error.what()));
    }
  }
}

}  // namespace clopt
