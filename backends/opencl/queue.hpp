/// \file
/// Buffers, kernels and queues of an OpenCL device.
#pragma once

#include "buffer_pool.hpp"
#include "opencl.hpp"
#include "profile.hpp"
#include "trusted_subgroups.hpp"

#include <clopt/device.hpp>

#include <array>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clopt::opencl {

class ClMemory : public Memory {
 public:
  /// \throws cl::Error.
  ClMemory(const std::string& name, std::size_t bytes, MemoryKind kind, std::shared_ptr<BufferPool> pool)
      : Memory(name, bytes), kind_(kind), pool_(std::move(pool)), buffer_(pool_->take(kind, bytes)) {}
  ~ClMemory() override { pool_->give_back(kind_, bytes(), std::move(buffer_)); }
  const cl::Buffer& buffer() const { return buffer_.buffer; }
  void* host() const override { return buffer_.host; }

 private:
  MemoryKind kind_;
  std::shared_ptr<BufferPool> pool_;
  MappedBuffer buffer_;
};

class ClKernel : public KernelBase {
 public:
  /// What its program's build gives.
  struct Built {
    cl::Kernel kernel;
    std::uint32_t max_group_size = 1;
    std::uint32_t subgroup_size = 1;
  };

  /// \param build finds the kernel in its program, which it waits for; called once, unless it throws.
  ClKernel(std::string name, std::function<Built()> build)
      : name_(std::make_shared<const std::string>(std::move(name))), build_(std::move(build)) {}
  const std::string& name() const { return *name_; }
  /// For what may outlive the kernel.
  const std::shared_ptr<const std::string>& shared_name() const { return name_; }
  std::uint32_t max_group_size() const override { return built().max_group_size; }
  std::uint32_t subgroup_size() const override { return built().subgroup_size; }
  void finish_build() override { built(); }

  cl::Kernel& kernel() const { return built().kernel; }
  /// Arguments belong to the kernel until it is enqueued: one launch at a time.
  std::mutex& mutex() { return mutex_; }
  /// Whether no launch had work-groups of this size before: some drivers compile for each size. Under the mutex.
  bool is_new_size(const std::array<std::uint32_t, 3>& group) { return sizes_.insert(group).second; }

 private:
  Built& built() const {
    std::call_once(once_, [this] {
      built_ = build_();
      build_ = nullptr;
    });
    return built_;
  }

  std::shared_ptr<const std::string> name_;
  mutable std::function<Built()> build_;
  mutable std::once_flag once_;
  mutable Built built_;
  std::set<std::array<std::uint32_t, 3>> sizes_;
  std::mutex mutex_;
};

/// What a device's queues have in common.
struct QueueTraits {
  bool polls = false;  ///< whether waiting must not be left to the driver, which would keep a core busy
  bool compiles_when_launched = false;  ///< whether the first launches of a kernel are measured, since the driver
                                        ///< compiles it then
  bool may_compile_late = false;        ///< whether the driver may compile, and print, when a kernel is first launched
  bool awaits_transfers = false;        ///< whether the driver mixes what it transfers with later commands
};

class ClQueue : public Queue {
 public:
  /// \param buffers those of the device, which must know while the queue has work.
  ClQueue(const cl::Context& context, const cl::Device& processor, std::shared_ptr<BufferPool> buffers,
          SharedLabel device, const QueueTraits& traits, bool measures_time, std::shared_ptr<TrustedSubgroups> trusted);
  ~ClQueue() override;

  Event record() override;
  void wait_for(const Event& event) override;
  void flush() override;

 protected:
  void do_finish() override;
  Event do_write(Memory& to, std::size_t offset, const void* from, std::size_t bytes) override;
  Event do_read(Memory& from, std::size_t offset, void* to, std::size_t bytes) override;
  Event do_fill(Memory& to, std::size_t offset, std::size_t bytes, const void* value, std::size_t value_bytes) override;
  Event do_copy(Memory& from, std::size_t from_offset, Memory& to, std::size_t to_offset, std::size_t bytes) override;
  Event do_launch(KernelBase& kernel, const Range& range, std::span<const Argument> arguments) override;

 private:
  /// Calls the driver. \p doing names the call in the watchdog's report where it does not return.
  template <class Call>
  auto drive(std::string_view doing, const Call& call);
  Event wrap(const std::string& command, cl::Event event);
  /// Of a transfer that begins.
  cl_bool blocking() const { return traits_.awaits_transfers ? CL_TRUE : CL_FALSE; }
  cl::Event launch_first(ClKernel& kernel, const cl::NDRange& global, const cl::NDRange& local);

  std::shared_ptr<BufferPool> buffers_;
  SharedLabel device_;
  QueueTraits traits_;
  bool measures_time_;
  cl::CommandQueue queue_;
  std::optional<cl::CommandQueue> compiling_;       // measures times, for first launches
  std::shared_ptr<const std::string> last_kernel_;  // that was launched; none at first
  std::shared_ptr<TrustedSubgroups> trusted_;
  std::optional<Profile> profile_;
  bool has_work_ = false;  // that may not be done
  Event last_;             // of all commands
};

}  // namespace clopt::opencl
