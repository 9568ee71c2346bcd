/// \file
/// An OpenCL device that is open for work.
#pragma once

#include "opencl.hpp"
#include "program.hpp"
#include "queue.hpp"
#include "trusted_subgroups.hpp"

#include <clopt/device.hpp>

#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace clopt::opencl {

/// What a device's driver says of it.
DeviceInfo describe(const cl::Device& device);

class ClDevice : public Device {
 public:
  ClDevice(cl::Device device, const DeviceInfo& description);
  ~ClDevice() override;

  using Device::kernel;
  /// An operation with the sub-groups given.
  template <OperationArguments Arguments>
  Kernel<Arguments> kernel(const Subgroup& subgroup, const Program& program = {}) {
    return Kernel<Arguments>(own(build(Arguments::info, program, subgroup, false)));
  }
  /// Finds out which sub-groups work; the process that does so is one of its own where there can be one.
  Subgroup try_subgroups();
  ProgramBuilder& builder() { return builder_; }
  bool builds_side_by_side() const override { return builder_.builds_at_once(); }
  bool has_failed() const override { return label_->has_failed || Device::has_failed(); }

 protected:
  Subgroup find_subgroup() override;
  bool find_long_loops() override;
  std::unique_ptr<Queue> do_queue(const QueueOptions& options) override;
  std::shared_ptr<Memory> do_allocate(const std::string& name, std::size_t bytes, MemoryKind kind) override;
  std::shared_ptr<KernelBase> do_kernel(const OperationInfo& operation, const Program& program) override;
  std::shared_ptr<KernelBase> do_begin_kernel(const OperationInfo& operation, const Program& program) override;

 private:
  /// A built program, and the width of its sub-groups.
  struct BuiltProgram {
    cl::Program program;
    std::uint32_t subgroup_size = 1;
  };

  std::shared_ptr<KernelBase> build(const OperationInfo& operation, const Program& program,
                                    const std::optional<Subgroup>& given, bool ahead);
  BuiltProgram build_program(const OperationInfo& operation, const Program& program, const std::string& body,
                             const std::optional<Subgroup>& given);
  ClKernel::Built find_kernel(const BuiltProgram& program, const std::string& name) const;
  void refuse_functions(const Program& program) const;
  Subgroup subgroup_of(const OperationInfo& operation, const Program& program) const;

  /// Builds that were begun, each in a thread of its own, which waits for sub-groups where it needs them.
  class Begun {
   public:
    ~Begun();
    void add(std::shared_future<BuiltProgram> build);

   private:
    std::mutex mutex_;
    std::vector<std::shared_future<BuiltProgram>> builds_;
  };

  cl::Device device_;
  SharedLabel label_;
  SharedContext context_;
  std::shared_ptr<BufferPool> buffers_;
  ProgramBuilder builder_;
  const std::shared_ptr<TrustedSubgroups> trusted_;  // shared with its queues
  Begun begun_;                                      // last: it waits for those that use the others
};

}  // namespace clopt::opencl
