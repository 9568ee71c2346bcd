#include "kept_devices.hpp"

#include <mutex>
#include <utility>

namespace clopt {

std::shared_ptr<Device> KeptDevices::find_or_open(const std::string& key,
                                                  const std::function<std::shared_ptr<Device>()>& open) {
  const std::lock_guard lock(mutex_);
  if (std::exchange(forks_, number_of_forks()) != number_of_forks())
    new auto(std::exchange(devices_, {}));  // never destroyed: the driver's threads are the parent's
  auto& device = devices_[key];
  if (!device || device->has_failed()) {
    device.reset();
    device = open();
  }
  return device;
}

void KeptDevices::release() {
  std::map<std::string, std::shared_ptr<Device>> released;
  const std::lock_guard lock(mutex_);
  if (forks_ == number_of_forks()) released.swap(devices_);
}

}  // namespace clopt
