/// \file
/// The devices that a solver is given.
#pragma once

#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <clopt/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
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

/// Measures the time that first launches take for one-time work, from its construction on.
class FirstLaunchTime {
 public:
  explicit FirstLaunchTime(std::span<const std::shared_ptr<Device>> devices) : devices_(devices) {
    for (const auto& device : devices_) before_.push_back(device->first_launch_seconds());
  }

  /// Counts the time among that of building. Devices wait beside each other, so that the longest time counts.
  void move_to_build(RunSeconds& seconds) const {
    double longest = 0;
    for (std::size_t i = 0; i < devices_.size(); ++i)
      longest = std::max(longest, devices_[i]->first_launch_seconds() - before_[i]);
    const double moved = std::min(longest, seconds.compute);
    seconds.compute -= moved;
    seconds.total -= moved;
    seconds.build += moved;
  }

 private:
  std::span<const std::shared_ptr<Device>> devices_;
  std::vector<double> before_;
};

}  // namespace clopt
