#include "kept_devices.hpp"

#include <mutex>
#include <utility>

namespace clopt {

std::shared_ptr<Device> KeptDevices::find_or_open(const std::string& key,
                                                  const std::function<std::shared_ptr<Device>()>& open) {
  std::shared_ptr<Place> place;
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(forks_, number_of_forks()) != number_of_forks())
      new auto(std::exchange(places_, {}));  // never destroyed: the driver's threads are the parent's
    auto& found = places_[key];
    if (!found) found = std::make_shared<Place>();
    place = found;
  }
  const std::lock_guard lock(place->mutex);
  if (!place->device || place->device->has_failed()) {
    place->device.reset();
    place->device = open();
  }
  return place->device;
}

void KeptDevices::release() {
  std::map<std::string, std::shared_ptr<Place>> released;
  const std::lock_guard lock(mutex_);
  if (forks_ == number_of_forks()) released.swap(places_);
}

}  // namespace clopt
