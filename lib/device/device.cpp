#include <clopt/detail/activity.hpp>
#include <clopt/detail/run_times.hpp>
#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <device/after_fork.hpp>
#include <device/kernels/build_ahead.hpp>
#include <device/kernels/kernel_cache.hpp>
#include <support/names.hpp>
#include <support/threads/process_mutex.hpp>
#include "self_test.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace clopt {

namespace {

// Whether the thread finds out what a device can do: the device's tests need that too, and are not waited for.
thread_local bool is_finding_out = false;

template <class Find>
auto find_out(const Find& find) {
  struct Mark {
    bool before = std::exchange(is_finding_out, true);
    ~Mark() { is_finding_out = before; }
  } const mark;
  const BuildAhead::Pause pause;
  const TimedPart building(TimePart::build);
  return find();
}

}  // namespace

std::string_view name_of(DeviceKind kind) {
  static constexpr Names<DeviceKind, 3> names{
      {{{DeviceKind::cpu, "cpu"}, {DeviceKind::gpu, "gpu"}, {DeviceKind::other, "other"}}}};
  return names.of(kind);
}

std::string_view name_of(MemoryKind kind) {
  static constexpr Names<MemoryKind, 2> names{
      {{{MemoryKind::device, "device"}, {MemoryKind::host_visible, "host_visible"}}}};
  return names.of(kind);
}

std::string_view name_of(SubgroupProvider provider) {
  switch (provider) {
    case SubgroupProvider::khr: return "khr";
    case SubgroupProvider::intel: return "intel";
    case SubgroupProvider::ptx: return "ptx";
    case SubgroupProvider::emulated: break;
  }
  return "emulated";
}

std::shared_ptr<Memory> Device::allocate_checked(const std::string& name, std::size_t count, std::size_t size,
                                                 MemoryKind kind) {
  require_own_process();
  const bool overflows = count > std::numeric_limits<std::size_t>::max() / size;
  const auto limit = kind == MemoryKind::device ? info_.max_allocation_bytes : info_.global_memory_bytes;
  if (overflows || count * size > limit)
    throw OutOfMemory(
        fmt::format("the buffer '{}' of {} elements of {} bytes passes the largest allocation of {} "
                    "({}), which is {} bytes",
                    name, count, size, info_.id, info_.name, limit));
  auto memory = do_allocate(name, count * size, kind);
  memory->device_ = tag();
  return memory;
}

// Made when it is first needed: a backend's constructor describes the device.
const std::shared_ptr<const DeviceTag>& Device::tag() const {
  std::call_once(tag_made_, [&] { tag_ = std::make_shared<DeviceTag>(fmt::format("{} ({})", info_.id, info_.name)); });
  return tag_;
}

std::unique_ptr<Queue> Device::queue(const QueueOptions& options) {
  require_own_process();
  auto queue = do_queue(options);
  queue->device_ = tag();
  queue->transfers_are_calls_ = info_.launches_are_calls;
  return queue;
}

void Device::require_known_answers(std::string_view operation) {
  const BuildAhead::Pause pause;
  if (const auto& wanted = tag()->known_answers) wanted->begin(operation.substr(0, operation.find('/')));
}

void Device::begin_self_test(std::string_view solver) {
  const TimedPart building(TimePart::build);
  if (info_.kind == DeviceKind::gpu) require_known_answers(solver);
}

Device::Device() : kernels_(std::make_shared<KernelCache>()), forks_(number_of_forks()) {}

void Device::require_own_process() const {
  if (forks_ != number_of_forks() && !info_.launches_are_calls) refuse_after_fork(info_);
}

bool Device::has_failed() const { return tag()->known_answers && tag()->known_answers->has_failed(); }

Subgroup Device::find_subgroup() { return {}; }
bool Device::find_long_loops() { return true; }
bool Device::builds_side_by_side() const { return false; }

// To find out changes nothing that a caller could see.
Subgroup Device::subgroup() const {
  std::call_once(subgroup_found_,
                 [&] { subgroup_ = find_out([&] { return const_cast<Device*>(this)->find_subgroup(); }); });
  return subgroup_;
}

bool Device::has_long_loops() const {
  std::call_once(long_loops_found_,
                 [&] { has_long_loops_ = find_out([&] { return const_cast<Device*>(this)->find_long_loops(); }); });
  return has_long_loops_;
}

double Device::first_launch_seconds() const { return tag()->first_launch_seconds; }

std::shared_ptr<KernelBase> Device::build(const OperationInfo& operation, const Program& program) {
  require_own_process();
  const TimedPart building(TimePart::build);
  require_known_answers(operation.name);
  const Activity activity("building the kernel", operation.name, tag()->label);
  const auto key = KernelCache::key_of(operation, program);
  auto* ahead = BuildAhead::current();
  auto kernel = kernels_->find(key);
  if (!kernel) kernel = own(ahead ? do_begin_kernel(operation, program) : do_kernel(operation, program));
  const auto keep = [kernels = kernels_, key, kernel] { kernels->keep(key, kernel); };
  if (ahead)
    ahead->add(kernel, keep);
  else
    keep();
  return kernel;
}

std::shared_ptr<KernelBase> Device::own(std::shared_ptr<KernelBase> kernel) {
  kernel->device_ = tag();
  return kernel;
}

Event Queue::launch_erased(KernelBase& kernel, const Range& range, std::span<const Argument> arguments) {
  if (kernel.device() != device_.get())
    throw InvalidInput(fmt::format("a kernel of {} was given to a queue of {}: build it for that device",
                                   kernel.device()->label, device_->label));
  for (const auto& argument : arguments)
    if (argument.memory != nullptr) require_own(*argument.memory);
  if (device_->known_answers && !is_finding_out) add_first_launch(device_->known_answers->settle());
  ++counts_.launches;
  return do_launch(kernel, range, arguments);
}

}  // namespace clopt
