#include "kept_devices.hpp"
#include <clopt/detail/run_times.hpp>

#include <mutex>
#include <utility>

namespace clopt {

std::shared_ptr<KeptDevices::Place> KeptDevices::place_of(const std::string& key) {
  const std::lock_guard lock(mutex_);
  if (std::exchange(forks_, number_of_forks()) != number_of_forks())
    new auto(std::exchange(places_, {}));  // never destroyed: the driver's threads are the parent's
  auto& place = places_[key];
  if (!place) place = std::make_shared<Place>();
  return place;
}

std::shared_ptr<Device> KeptDevices::device_in(const Place& place) {
  const std::lock_guard lock(mutex_);
  return place.device && !place.device->has_failed() ? place.device : nullptr;
}

std::shared_ptr<Device> KeptDevices::find(const std::string& key) { return device_in(*place_of(key)); }

std::shared_ptr<Device> KeptDevices::find_or_open(const std::string& key,
                                                  const std::function<std::shared_ptr<Device>()>& open) {
  const auto place = place_of(key);
  if (auto device = device_in(*place)) return device;
  const TimedPart waiting(TimePart::open);
  const std::lock_guard opening(place->opening);
  if (auto device = device_in(*place)) return device;
  auto device = open();
  auto replaced = device;
  const std::lock_guard lock(mutex_);
  replaced.swap(place->device);
  return device;
}

void KeptDevices::release(const Device& device) {
  std::shared_ptr<Device> released;
  const std::lock_guard lock(mutex_);
  for (const auto& [key, place] : places_)
    if (place->device.get() == &device) released = std::move(place->device);
}

void KeptDevices::release() {
  std::map<std::string, std::shared_ptr<Place>> released;
  const std::lock_guard lock(mutex_);
  if (forks_ == number_of_forks()) released.swap(places_);
}

}  // namespace clopt
