/// \file
/// A device with the description that a test gives it: forms of a kernel for GPUs are tested on every platform.
#pragma once

#include <clopt/backend.hpp>
#include <clopt/device.hpp>

#include <memory>
#include <utility>

namespace clopt::test {

class Pretended : public clopt::Device {
 public:
  Pretended(clopt::Device& device, clopt::DeviceInfo info) : device_(device) { info_ = std::move(info); }

 protected:
  std::unique_ptr<clopt::Queue> do_queue(const clopt::QueueOptions& options) override { return device_.queue(options); }
  std::shared_ptr<clopt::Memory> do_allocate(const std::string& name, std::size_t bytes,
                                             clopt::MemoryKind kind) override {
    return (device_.*&Door::do_allocate)(name, bytes, kind);
  }
  std::shared_ptr<clopt::KernelBase> do_kernel(const clopt::OperationInfo& operation,
                                               const clopt::Program& program) override {
    return (device_.*&Door::do_kernel)(operation, program);
  }

 private:
  // Opens what devices keep for their backends.
  struct Door : clopt::Device {
    using clopt::Device::do_allocate;
    using clopt::Device::do_kernel;
  };

  clopt::Device& device_;
};

}  // namespace clopt::test
