/// \file
/// An OpenCL device that is open for work.
#pragma once

#include "opencl.hpp"
#include "program.hpp"
#include "queue.hpp"

#include <clopt/device.hpp>

#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace clopt::opencl {

/// What a device's driver says of it.
DeviceInfo describe(const cl::Device& device);

class ClDevice : public Device {
 public:
  ClDevice(cl::Device device, const DeviceInfo& description);

  using Device::kernel;
  /// An operation with the sub-groups given.
  template <OperationArguments Arguments>
  Kernel<Arguments> kernel(const Subgroup& subgroup, const Program& program = {}) {
    return Kernel<Arguments>(own(build(Arguments::info, program, subgroup, false)));
  }
  ProgramBuilder& builder() { return builder_; }

 protected:
  Subgroup find_subgroup() override;
  bool find_long_loops() override;
  std::unique_ptr<Queue> do_queue(const QueueOptions& options) override;
  std::shared_ptr<Memory> do_allocate(const std::string& name, std::size_t bytes, MemoryKind kind) override;
  std::shared_ptr<KernelBase> do_kernel(const OperationInfo& operation, const Program& program) override;
  std::shared_ptr<KernelBase> do_begin_kernel(const OperationInfo& operation, const Program& program) override;

 private:
  std::shared_ptr<KernelBase> build(const OperationInfo& operation, const Program& program,
                                    const std::optional<Subgroup>& given, bool ahead);
  ClKernel::Built find_kernel(const cl::Program& program, const std::string& name) const;
  void refuse_functions(const Program& program) const;
  Subgroup subgroup_of(const OperationInfo& operation, const Program& program) const;

  cl::Device device_;
  std::string label_;  ///< "opencl:0 (name)", for messages
  cl::Context context_;
  ProgramBuilder builder_;
};

}  // namespace clopt::opencl
