#include "lost_devices.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace clopt::group {

void require_doubles(std::span<const std::shared_ptr<Device>> devices, bool is_double) {
  const auto has_doubles = [](const auto& device) { return device->info().has_double; };
  if (is_double && std::none_of(devices.begin(), devices.end(), has_doubles))
    throw DeviceError(fmt::format("{}: it has no doubles, which this run needs", devices.front()->info().id));
}

void LostDevices::lose(const Device& device, const std::exception_ptr& failure) {
  const std::lock_guard lock(mutex_);
  last_ = failure;
  if (std::any_of(lost_.begin(), lost_.end(), [&](const auto& lost) { return lost.first == &device; })) return;
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    lost_.emplace_back(&device, fmt::format("{} ({}) failed: {}", device.info().id, device.info().name, error.what()));
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

std::vector<DevicePart> parts_of(std::span<const std::shared_ptr<Device>> devices,
                                 std::span<const std::shared_ptr<Device>> places, std::span<const Done> done,
                                 const LostDevices& lost) {
  double items = 0;
  for (const auto& each : done) items += static_cast<double>(each.items);
  std::vector<DevicePart> parts;
  std::vector<const Device*> known;
  for (const auto& device : devices) {
    const auto& info = device->info();
    auto& part = parts.emplace_back(DevicePart{info.id, info.name, 0, 0, 0, lost.failures_of(*device)});
    // One that is given twice has its work once.
    const bool is_known = std::find(known.begin(), known.end(), device.get()) != known.end();
    known.push_back(device.get());
    for (std::size_t place = 0; place < places.size() && !is_known; ++place) {
      if (places[place] != device) continue;
      if (items > 0) part.share += static_cast<double>(done[place].items) / items;
      part.seconds += done[place].seconds;
    }
  }
  return parts;
}

}  // namespace clopt::group
