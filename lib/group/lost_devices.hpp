/// \file
/// Devices that have failed while others do their work.
#pragma once

#include <clopt/device.hpp>
#include <clopt/run.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace clopt::group {

/// The devices of a run that have failed. Any thread may call its functions.
class LostDevices {
 public:
  /// Notes a device that has failed, by a DeviceError.
  void lose(const Device& device, const std::exception_ptr& failure);
  bool has(const Device& device) const;
  /// Of each, what it is and how it has failed, in their order.
  std::vector<std::string> failures() const;
  /// Of one; none where it has not failed.
  std::vector<std::string> failures_of(const Device& device) const;
  /// Throws the failure of the last one.
  [[noreturn]] void rethrow() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::pair<const Device*, std::string>> lost_;
  std::exception_ptr last_;
};

/// Leaves a run that needs doubles to other devices and ranks. \throws DeviceError where none of the devices has them.
void require_doubles(std::span<const std::shared_ptr<Device>> devices, bool is_double);

/// What a device, or one of its places, has done: its part of a run's items.
struct Done {
  std::uint64_t items = 0;
  double seconds = 0;
};

/// What each device has done. \param places their devices. \param done at each place.
std::vector<DevicePart> parts_of(std::span<const std::shared_ptr<Device>> devices,
                                 std::span<const std::shared_ptr<Device>> places, std::span<const Done> done,
                                 const LostDevices& lost);

}  // namespace clopt::group
