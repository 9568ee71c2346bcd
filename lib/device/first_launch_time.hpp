/// \file
/// The time that first launches take for one-time work, apart from the run's own.
#pragma once

#include <clopt/device.hpp>
#include <clopt/run.hpp>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

namespace clopt {

/// Watches some devices from its construction on.
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
