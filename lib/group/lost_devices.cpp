#include "lost_devices.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace clopt::group {

void LostDevices::lose(const Device& device, const std::exception_ptr& failure) {
  const bool is_known = has(device);
  const std::lock_guard lock(mutex_);
  last_ = failure;
  if (is_known) return;
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    lost_.emplace_back(&device, fmt::format("{} ({}): {}", device.info().id, device.info().name, error.what()));
  }
}

bool LostDevices::has(const Device& device) const { return !failures_of(device).empty(); }

std::vector<std::string> LostDevices::failures() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> failures;
  for (const auto& [device, failure] : lost_) failures.push_back(failure);
  return failures;
}

std::vector<std::string> LostDevices::failures_of(const Device& device) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [lost, failure] : lost_)
    if (lost == &device) return {failure};
  return {};
}

void LostDevices::rethrow() const {
  const std::lock_guard lock(mutex_);
  std::rethrow_exception(last_);
}

std::vector<DevicePart> parts_of(std::span<const std::shared_ptr<Device>> devices, std::span<const Done> done,
                                 const LostDevices& lost) {
  double items = 0;
  for (const auto& each : done) items += static_cast<double>(each.items);
  std::vector<const Device*> known;
  std::vector<DevicePart> parts;
  for (std::size_t place = 0; place < devices.size(); ++place) {
    const auto& device = *devices[place];
    const auto index = static_cast<std::size_t>(std::find(known.begin(), known.end(), &device) - known.begin());
    if (index == known.size()) {
      known.push_back(&device);
      parts.push_back({.id = device.info().id, .name = device.info().name, .failures = lost.failures_of(device)});
    }
    if (items > 0) parts[index].share += static_cast<double>(done[place].items) / items;
    parts[index].seconds += done[place].seconds;
  }
  return parts;
}

}  // namespace clopt::group
