/// \file
/// The reference backend: the host's processors, by a team of threads and OpenMP's vector loops. Always there.
#include <openmp/objective/objective.hpp>
#include "team.hpp"
#include "twin.hpp"

#include <clopt/backend.hpp>
#include <clopt/detail/activity.hpp>
#include <clopt/detail/background.hpp>
#include <clopt/detail/dropped_launches.hpp>
#include <clopt/error.hpp>
#include <support/numbers/instruction_set.hpp>
#include <support/process/memory.hpp>

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace clopt::openmp {
namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;
// Work-groups mean nothing here; kernels that are given one are granted what every OpenCL GPU grants.
constexpr std::uint32_t group_size_limit = 1024;
// Allocations from here on are compared with the memory that is free, since Linux would promise more than it, or the
// container, has.
constexpr std::size_t large_allocation = std::size_t{64} << 20;

// Threads of which one less makes little difference.
constexpr unsigned least_to_share = 6;

std::string processor_name() {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with("model name"))
      if (const auto text = line.find(": "); text != line.npos) return line.substr(text + 2);
  return "host processor";
}

/// Runs twins on a team of threads, each call to its end: work is done when it is given.
class HostQueue : public Queue {
 public:
  HostQueue(unsigned threads, std::string device) : threads_(threads), device_(std::move(device)) {}
  Event record() override { return {}; }
  void wait_for(const Event& event) override { event.wait(); }
  void flush() override {}

 protected:
  void do_finish() override {}
  Event do_write(Memory& to, std::size_t offset, const void* from, std::size_t bytes) override {
    std::memcpy(at(to, offset), from, bytes);
    return {};
  }
  Event do_read(Memory& from, std::size_t offset, void* to, std::size_t bytes) override {
    std::memcpy(to, at(from, offset), bytes);
    return {};
  }
  Event do_fill(Memory& to, std::size_t offset, std::size_t bytes, const void* value,
                std::size_t value_bytes) override {
    auto* begin = at(to, offset);
    if (bytes == 0) return {};
    std::memcpy(begin, value, value_bytes);
    for (std::size_t done = value_bytes; done < bytes;) {
      const auto part = std::min(done, bytes - done);
      std::memcpy(begin + done, begin, part);
      done += part;
    }
    return {};
  }
  Event do_copy(Memory& from, std::size_t from_offset, Memory& to, std::size_t to_offset, std::size_t bytes) override {
    std::memcpy(at(to, to_offset), at(from, from_offset), bytes);
    return {};
  }
  Event do_launch(KernelBase& kernel, const Range& range, std::span<const Argument> arguments) override;

 private:
  static char* at(Memory& memory, std::size_t offset) {
    return static_cast<char*>(static_cast<HostMemory&>(memory).data()) + offset;
  }

  unsigned threads_;
  std::string device_;
};

class HostKernel : public KernelBase {
 public:
  HostKernel(std::string_view operation_name, const Implementation& implementation, const Program& program)
      : name_(operation_name),
        implementation_(implementation),
        objective_(implementation.needs_objective() ? objective_code(program) : nullptr) {
    // What hangs may be the kernel or the user's objective.
    if (objective_ && !program.objective.empty()) name_ += " with the objective " + program.objective;
  }
  std::uint32_t max_group_size() const override { return group_size_limit; }
  std::uint32_t subgroup_size() const override { return 1; }
  std::string_view name() const { return name_; }
  void run(const Range& range, std::span<const Argument> arguments) const {
    implementation_.run(objective_.get(), range, arguments);
  }

 private:
  std::string name_;
  const Implementation& implementation_;
  std::shared_ptr<const ObjectiveCode> objective_;
};

Event HostQueue::do_launch(KernelBase& kernel, const Range& range, std::span<const Argument> arguments) {
  const bool is_shared = threads_ >= least_to_share && DriverStart::is_under_way();
  const ThreadsOfLaunch threads(is_shared ? threads_ - 1 : threads_);
  DroppedLaunches::require_wanted();
  const auto& host_kernel = static_cast<HostKernel&>(kernel);
  const Activity activity("running the kernel", host_kernel.name(), device_);
  host_kernel.run(range, arguments);
  return {};
}

class HostDevice : public Device {
 public:
  HostDevice(const DeviceInfo& description, const DeviceOptions& options) {
    info_ = description;
    if (options.threads != 0) info_.compute_units = options.threads;
  }

 protected:
  std::unique_ptr<Queue> do_queue(const QueueOptions&) override {
    return std::make_unique<HostQueue>(info_.compute_units, info_.id);
  }
  std::shared_ptr<Memory> do_allocate(const std::string& name, std::size_t bytes, MemoryKind) override {
    if (bytes >= large_allocation)
      if (const auto available = available_memory(); bytes > available)
        throw OutOfMemory(fmt::format("the buffer '{}' needs {} bytes of the host's memory, which has {} free", name,
                                      bytes, available));
    return std::make_shared<HostMemory>(name, bytes);
  }
  std::shared_ptr<KernelBase> do_kernel(const OperationInfo& operation, const Program& program) override {
    const auto* twin = find_twin(operation.name);
    const auto* implementation = twin ? twin->find(operation) : nullptr;
    if (!implementation)
      throw BuildError(
          fmt::format("the openmp backend has no function for the operation '{}' with these types", operation.name));
    return std::make_shared<HostKernel>(operation.name, *implementation, program);
  }
};

class HostBackend : public Backend {
 public:
  std::vector<DeviceInfo> devices(std::vector<Unavailable>&) override {
    DeviceInfo info;
    info.platform = "OpenMP";
    info.name = processor_name();
    info.version = fmt::format("OpenMP {}, {}", _OPENMP, name_of(instruction_set()));
    info.kind = DeviceKind::cpu;
    info.compute_units = usable_cores();
    info.global_memory_bytes = clopt::total_memory();
    info.max_allocation_bytes = info.global_memory_bytes;
    info.local_memory_bytes = 0;
    info.max_work_group_size = group_size_limit;
    info.has_double = true;
    info.launches_are_calls = true;
    return {info};
  }
  std::shared_ptr<Device> open(std::size_t, const DeviceInfo& description, const DeviceOptions& options) override {
    return std::make_shared<HostDevice>(description, options);
  }
};

std::unique_ptr<Backend> create() { return std::make_unique<HostBackend>(); }

}  // namespace

HostMemory::HostMemory(const std::string& name, std::size_t bytes) : Memory(name, bytes) {
  const auto boundary = bytes >= huge_page ? huge_page : alignment;
  const auto padded = (std::max<std::size_t>(bytes, 1) + boundary - 1) / boundary * boundary;
  data_ = std::aligned_alloc(boundary, padded);
  // Memory that is touched here and there costs a page fault a page: fewer, larger ones.
  if (data_ && bytes >= huge_page) madvise(data_, padded, MADV_HUGEPAGE);
  if (!data_) throw OutOfMemory(fmt::format("the host has no {} bytes for the buffer '{}'", bytes, name));
}

HostMemory::~HostMemory() { std::free(data_); }

}  // namespace clopt::openmp

namespace clopt {

const BackendEntry* openmp_backend() {
  static constexpr BackendEntry entry{backend_interface_version, "openmp", &openmp::create};
  return &entry;
}

}  // namespace clopt
