#include "slots.hpp"

namespace clopt::differential_evolution {

bool Slots::add(const std::shared_ptr<Device>& device) {
  if (lost_.has(*device)) return false;
  try {
    slots_.push_back({device, make_(*device)});
  } catch (const DeviceError&) {
    lost_.lose(*device, std::current_exception());
    return false;
  }
  return true;
}

void Slots::attempt(Slot& slot, std::exception_ptr failure, const std::function<void(bool)>& work) {
  for (;;) {
    if (failure) move(slot, failure);
    try {
      return work(failure != nullptr);
    } catch (const DeviceError&) {
      failure = std::current_exception();
    }
  }
}

void Slots::move(Slot& slot, const std::exception_ptr& failure) {
  lost_.lose(*slot.device, failure);
  for (const auto& device : devices_) {
    if (lost_.has(*device)) continue;
    slot.batch.reset();
    try {
      slot.batch = make_(*device);
      slot.device = device;
      return;
    } catch (const DeviceError&) {
      lost_.lose(*device, std::current_exception());
    }
  }
  lost_.rethrow();
}

}  // namespace clopt::differential_evolution
