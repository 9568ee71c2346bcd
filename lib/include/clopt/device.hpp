/// \file
/// The abstract device that every solver runs on. It depends neither on solvers nor on OpenCL.
#pragma once

#include <clopt/export.hpp>

#include <clopt/memory.hpp>
#include <clopt/program.hpp>
#include <clopt/queue.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace clopt {

/// Where the functions that a sub-group shares come from.
enum class SubgroupProvider { khr, intel, ptx, emulated };
/// "khr", "intel", "ptx" or "emulated".
CLOPT_API std::string_view name_of(SubgroupProvider provider);

/// The sub-groups of a device: work-items that exchange values without a barrier.
struct Subgroup {
  SubgroupProvider provider = SubgroupProvider::emulated;
  std::uint32_t size = 1;  ///< the default width
};

/// What kind of processor a device is.
enum class DeviceKind { cpu, gpu, other };
/// "cpu", "gpu" or "other".
CLOPT_API std::string_view name_of(DeviceKind kind);

/// What is known of a device: read from its driver.
struct DeviceInfo {
  std::string id;        ///< "openmp:0", "opencl:1": the backend's name and the device's number there
  std::string backend;   ///< the name of the plugin
  std::string platform;  ///< the platform that the backend found it on
  std::string name;
  std::string version;  ///< of the device's interface and driver
  DeviceKind kind = DeviceKind::other;
  std::uint32_t compute_units = 1;
  std::uint64_t global_memory_bytes = 0;
  std::uint64_t max_allocation_bytes = 0;
  std::uint64_t local_memory_bytes = 0;
  std::uint32_t max_work_group_size = 1;
  bool has_double = false;
  bool launches_are_calls = false;     ///< whether a launch is a call on the host's own memory that has all threads;
                                       ///< a transfer then copies at once
  bool has_execution_timeout = false;  ///< whether a watchdog ends long launches
};

/// How a queue is made.
struct QueueOptions {
  bool measure_time = false;  ///< whether Event::seconds is measured
};

/// How a device is opened.
struct DeviceOptions {
  unsigned threads = 0;   ///< threads of a device that is the host's own processor; 0: all that the process may use
  bool force = false;     ///< use the device although its self-test failed
  bool self_test = true;  ///< whether a solver's kernels must give known answers before they are used
};

class KernelCache;  // of the library

/// A device that is open for work. Threads may share it.
class CLOPT_API Device {
 public:
  Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  const DeviceInfo& info() const { return info_; }

  /// The sub-groups of kernels that use them. Found out when they are first asked for, and remembered for the driver:
  /// the first time of all builds kernels. \throws InvalidInput where CLOPT_SUBGROUPS names what does not work.
  Subgroup subgroup() const;
  /// Whether a work-item may loop without limit; else 2^14 steps are safe. Found out as sub-groups are.
  bool has_long_loops() const;
  /// Whether a call of its driver or its self-test has failed: another run opens it anew. Here only the self-test.
  virtual bool has_failed() const;
  /// Whether threads may build several kernels at once; here no.
  virtual bool builds_side_by_side() const;
  /// Has a GPU tested for a solver ("ecga") in a process of its own, as the solver's first operation would. For a run
  /// that does other things before: the process takes a second to start the driver.
  void begin_self_test(std::string_view solver);
  /// Seconds, since the device was opened, for which launches waited for what is done once: some drivers compile a
  /// kernel when it is launched first, and a self-test may still run then.
  double first_launch_seconds() const;

  /// Memory for \p count elements, uninitialised.
  /// \param name its name in messages.
  /// \throws OutOfMemory, with need and limit, beyond the device's largest allocation or what it has left.
  template <class T>
  Buffer<T> buffer(const std::string& name, std::size_t count, MemoryKind kind = MemoryKind::device) {
    return {allocate_checked(name, count, sizeof(T), kind), count};
  }
  /// A new queue, empty.
  std::unique_ptr<Queue> queue(const QueueOptions& options = {});
  /// Builds an operation, or finds it built, by whichever run: `device.kernel<operations::WalkBack>()`. The first
  /// operation of a solver has the device tested, unless DeviceOptions::self_test is off. \throws BuildError with the
  /// compiler's log; NoDevice where the device gives a wrong answer.
  template <OperationArguments Arguments>
  Kernel<Arguments> kernel(const Program& program = {}) {
    return Kernel<Arguments>(build(Arguments::info, program));
  }

 protected:
  virtual std::unique_ptr<Queue> do_queue(const QueueOptions& options) = 0;
  virtual std::shared_ptr<Memory> do_allocate(const std::string& name, std::size_t bytes, MemoryKind kind) = 0;
  virtual std::shared_ptr<KernelBase> do_kernel(const OperationInfo& operation, const Program& program) = 0;
  /// As do_kernel(), but it may return while the kernel is still being built: KernelBase::finish_build() waits for it,
  /// and so does its first use. Here it is built.
  virtual std::shared_ptr<KernelBase> do_begin_kernel(const OperationInfo& operation, const Program& program) {
    return do_kernel(operation, program);
  }
  /// The answer of subgroup(), which asks once; here emulated ones of one work-item.
  virtual Subgroup find_subgroup();
  /// The answer of has_long_loops(), which asks once; here yes.
  virtual bool find_long_loops();
  /// Makes a kernel one of this device: for a backend that builds kernels in other ways too.
  std::shared_ptr<KernelBase> own(std::shared_ptr<KernelBase> kernel);

  DeviceInfo info_;

 private:
  friend class Registry;  // which says what a device that it opens must prove

  void require_own_process() const;
  std::shared_ptr<KernelBase> build(const OperationInfo& operation, const Program& program);
  std::shared_ptr<Memory> allocate_checked(const std::string& name, std::size_t count, std::size_t size,
                                           MemoryKind kind);
  const std::shared_ptr<const DeviceTag>& tag() const;
  void require_known_answers(std::string_view operation);

  mutable std::once_flag tag_made_;
  mutable std::shared_ptr<const DeviceTag> tag_;
  mutable std::once_flag subgroup_found_;
  mutable Subgroup subgroup_;
  mutable std::once_flag long_loops_found_;
  mutable bool has_long_loops_ = true;
  const std::shared_ptr<KernelCache> kernels_;
  const unsigned forks_;  // when it was opened
};

}  // namespace clopt
