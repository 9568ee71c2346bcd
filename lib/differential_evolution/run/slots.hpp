/// \file
/// Where a run's pieces lie on devices.
#pragma once

#include <clopt/device.hpp>
#include <clopt/error.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <group/lost_devices.hpp>
#include "batch.hpp"

namespace clopt::differential_evolution {

/// Room for a piece on a device, with a queue of its own.
struct Slot {
  std::shared_ptr<Device> device;
  std::unique_ptr<Batch> batch;
};

/// The slots of a run, and the devices that were lost.
class Slots {
 public:
  using Make = std::function<std::unique_ptr<Batch>(Device&)>;

  /// \param devices that slots may move to. \param make makes the batch of a slot.
  Slots(std::vector<std::shared_ptr<Device>> devices, Make make)
      : devices_(std::move(devices)), make_(std::move(make)) {}

  const std::vector<std::shared_ptr<Device>>& devices() const { return devices_; }
  std::vector<Slot>& all() { return slots_; }
  group::LostDevices& lost() { return lost_; }

  /// Adds a slot that has no batch yet.
  void add_empty(const std::shared_ptr<Device>& device) { slots_.push_back({device, nullptr}); }
  /// Makes a slot's batch. \throws what Slots::Make throws.
  void fill(Slot& slot) const { slot.batch = make_(*slot.device); }
  /// Adds a slot on a device, unless the device is lost. \returns whether it did. \throws what Slots::Make throws,
  /// but no DeviceError of a device that is lost.
  bool add(const std::shared_ptr<Device>& device);
  /// Does work with a slot. Where its device fails, the slot is made again on another one and the work repeated.
  /// \param failure of the device, if it has failed before. \param work is passed whether the slot has moved.
  /// \throws DeviceError where no device is left.
  void attempt(Slot& slot, std::exception_ptr failure, const std::function<void(bool)>& work);

 private:
  void move(Slot& slot, const std::exception_ptr& failure);

  std::vector<std::shared_ptr<Device>> devices_;
  Make make_;
  std::vector<Slot> slots_;
  group::LostDevices lost_;
};

}  // namespace clopt::differential_evolution
