/// \file
/// Buffers, kernels and queues of an OpenCL device.
#pragma once

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
  ClMemory(const std::string& name, std::size_t bytes, cl::Buffer buffer)
      : Memory(name, bytes), buffer_(std::move(buffer)) {}
  const cl::Buffer& buffer() const { return buffer_; }

 private:
  cl::Buffer buffer_;
};

/// Memory of the host that stays mapped.
class ClHostMemory : public ClMemory {
 public:
  /// \param queue maps the buffer, which the device has in the host's memory.
  ClHostMemory(const std::string& name, std::size_t bytes, cl::Buffer buffer, cl::CommandQueue queue);
  ~ClHostMemory() override;
  void* host() const override { return data_; }

 private:
  cl::CommandQueue queue_;
  void* data_;
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

class ClQueue : public Queue {
 public:
  /// \param polls whether waiting must not be left to the driver, which would keep a core busy.
  /// \param compiling a queue that measures times, for the first launches of kernels, where the driver compiles them.
  /// \param may_compile_late whether the driver may compile, and print, when a kernel is first launched.
  ClQueue(cl::CommandQueue queue, std::string device, bool measures_time, bool polls,
          std::optional<cl::CommandQueue> compiling, bool may_compile_late, std::shared_ptr<TrustedSubgroups> trusted)
      : queue_(std::move(queue)),
        device_(std::move(device)),
        measures_time_(measures_time),
        polls_(polls),
        compiling_(std::move(compiling)),
        may_compile_late_(may_compile_late),
        trusted_(std::move(trusted)) {
    if (profile_wanted()) profile_.emplace();
  }
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
  cl::Event launch_first(ClKernel& kernel, const cl::NDRange& global, const cl::NDRange& local);

  cl::CommandQueue queue_;
  std::string device_;
  std::shared_ptr<const std::string> last_kernel_;  // that was launched; none at first
  bool measures_time_;
  bool polls_;
  std::optional<cl::CommandQueue> compiling_;
  bool may_compile_late_;
  std::shared_ptr<TrustedSubgroups> trusted_;
  std::optional<Profile> profile_;
};

}  // namespace clopt::opencl
