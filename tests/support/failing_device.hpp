/// \file
/// A device that is lost on the way.
#pragma once

#include <clopt/device.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>

#include <atomic>
#include <memory>
#include <string>

namespace clopt::test {

// Opens what devices and queues keep for their backends.
struct DeviceDoor : Device {
  using Device::do_allocate;
  using Device::do_kernel;
};
struct QueueDoor : Queue {
  using Queue::do_copy;
  using Queue::do_fill;
  using Queue::do_launch;
  using Queue::do_read;
  using Queue::do_write;
};

class FailingQueue : public Queue {
 public:
  FailingQueue(std::unique_ptr<Queue> queue, std::atomic<int>& launches)
      : queue_(std::move(queue)), launches_(launches) {}
  Event record() override { return queue_->record(); }
  void wait_for(const Event& event) override { queue_->wait_for(event); }
  void flush() override { queue_->flush(); }

 protected:
  void do_finish() override { queue_->finish(); }
  Event do_write(Memory& to, std::size_t offset, const void* from, std::size_t bytes) override {
    return (*queue_.*&QueueDoor::do_write)(to, offset, from, bytes);
  }
  Event do_read(Memory& from, std::size_t offset, void* to, std::size_t bytes) override {
    return (*queue_.*&QueueDoor::do_read)(from, offset, to, bytes);
  }
  Event do_fill(Memory& to, std::size_t offset, std::size_t bytes, const void* value, std::size_t size) override {
    return (*queue_.*&QueueDoor::do_fill)(to, offset, bytes, value, size);
  }
  Event do_copy(Memory& from, std::size_t from_offset, Memory& to, std::size_t to_offset, std::size_t bytes) override {
    return (*queue_.*&QueueDoor::do_copy)(from, from_offset, to, to_offset, bytes);
  }
  Event do_launch(KernelBase& kernel, const Range& range, std::span<const Argument> arguments) override {
    if (launches_ <= 0) throw DeviceError("the device is gone");
    --launches_;
    return (*queue_.*&QueueDoor::do_launch)(kernel, range, arguments);
  }

 private:
  std::unique_ptr<Queue> queue_;
  std::atomic<int>& launches_;
};

/// The OpenMP device, which is lost after a number of launches; or before it has any memory to give.
class FailingDevice : public Device {
 public:
  static constexpr int from_the_start = -1;

  explicit FailingDevice(int launches) : device_(open_device("openmp:0")), launches_(launches) {
    info_ = device_->info();
  }
  /// It is lost before its next launch.
  void fail() { launches_ = 0; }

 protected:
  std::unique_ptr<Queue> do_queue(const QueueOptions& options) override {
    return std::make_unique<FailingQueue>(device_->queue(options), launches_);
  }
  std::shared_ptr<Memory> do_allocate(const std::string& name, std::size_t bytes, MemoryKind kind) override {
    if (launches_ == from_the_start) throw DeviceError("the device is gone");
    return (*device_.*&DeviceDoor::do_allocate)(name, bytes, kind);
  }
  std::shared_ptr<KernelBase> do_kernel(const OperationInfo& operation, const Program& program) override {
    return (*device_.*&DeviceDoor::do_kernel)(operation, program);
  }
  Device& inner() { return *device_; }
  std::atomic<int>& launches() { return launches_; }

 private:
  std::shared_ptr<Device> device_;
  std::atomic<int> launches_;
};

/// The same, which seems to work by itself: launches begin while those before are reported.
class FailingAhead : public FailingDevice {
 public:
  explicit FailingAhead(int launches) : FailingDevice(launches) { info_.launches_are_calls = false; }
};

}  // namespace clopt::test
