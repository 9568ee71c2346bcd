#include "queue.hpp"

#include <clopt/detail/activity.hpp>
#include <clopt/detail/streams.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <utility>

namespace clopt::opencl {
namespace {

constexpr std::uint32_t usual_group_size = 256;

// Waits without keeping a core busy for long: yields at first, then sleeps for a part of the time waited so far.
void poll(const cl::Event& event) {
  const auto is_complete = [&] { return event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() <= CL_COMPLETE; };
  if (is_complete()) return;
  // A command that was never submitted would never begin.
  event.getInfo<CL_EVENT_COMMAND_QUEUE>().flush();
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  while (!is_complete()) {
    const auto waited = Clock::now() - begin;
    if (waited < std::chrono::milliseconds(1))
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::min<Clock::duration>(waited / 20, std::chrono::milliseconds(1)));
  }
}

class ClEvent : public Event::State {
 public:
  ClEvent(cl::Event event, std::shared_ptr<const std::string> kernel, SharedLabel device, bool measures_time,
          bool polls)
      : event_(std::move(event)),
        kernel_(std::move(kernel)),
        device_(std::move(device)),
        measures_time_(measures_time),
        polls_(polls) {}

  void wait() override {
    const Activity activity(kernel_ ? "waiting for the kernel" : "waiting for a transfer",
                            kernel_ ? std::string_view(*kernel_) : std::string_view(), device_->text);
    translate(*device_, [&] {
      if (polls_) poll(event_);
      event_.wait();
    });
    require_success();
  }
  bool done() override {
    return translate(*device_, [&] { return event_.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() <= CL_COMPLETE; });
  }
  std::optional<double> seconds() override {
    if (!measures_time_) return std::nullopt;
    try {
      const auto begin = event_.getProfilingInfo<CL_PROFILING_COMMAND_START>();
      const auto end = event_.getProfilingInfo<CL_PROFILING_COMMAND_END>();
      if (end <= begin) return std::nullopt;  // rusticl's times are not to be used
      return static_cast<double>(end - begin) * 1e-9;
    } catch (const cl::Error&) {
      return std::nullopt;
    }
  }
  const cl::Event& event() const { return event_; }

 private:
  void require_success() const {
    const auto status = event_.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>();
    if (status < 0) throw_status(status, "a command", *device_);
  }

  cl::Event event_;
  std::shared_ptr<const std::string> kernel_;  // the last one given before; none: there was none
  SharedLabel device_;
  bool measures_time_;
  bool polls_;
};

const cl::Buffer& buffer_of(const Memory& memory) { return static_cast<const ClMemory&>(memory).buffer(); }

cl::NDRange nd_range(const std::array<std::size_t, 3>& sizes) { return {sizes[0], sizes[1], sizes[2]}; }

}  // namespace

ClQueue::ClQueue(const cl::Context& context, const cl::Device& processor, std::shared_ptr<BufferPool> buffers,
                 SharedLabel device, const QueueTraits& traits, bool measures_time,
                 std::shared_ptr<TrustedSubgroups> trusted)
    : buffers_(std::move(buffers)),
      device_(std::move(device)),
      traits_(traits),
      measures_time_(measures_time),
      queue_(context, processor, measures_time || profile_wanted() ? CL_QUEUE_PROFILING_ENABLE : 0),
      trusted_(std::move(trusted)) {
  if (traits.compiles_when_launched) compiling_ = cl::CommandQueue(context, processor, CL_QUEUE_PROFILING_ENABLE);
  if (profile_wanted()) profile_.emplace();
}

ClQueue::~ClQueue() {
  drain();
  try {
    if (profile_) profile_->close();
  } catch (const cl::Error&) {
    // There is no profile then.
  }
}

Event ClQueue::wrap(const std::string& command, cl::Event event) {
  if (!std::exchange(has_work_, true)) buffers_->begin_work();
  if (profile_) profile_->add(command, event);
  last_ = Event(std::make_shared<ClEvent>(std::move(event), last_kernel_, device_, measures_time_, traits_.polls));
  return last_;
}

template <class Call>
auto ClQueue::drive(std::string_view doing, const Call& call) {
  const Activity activity(doing, {}, device_->text);
  return translate(*device_, call);
}

Event ClQueue::record() {
  return drive("marking a place in the queue", [&] {
    cl::Event event;
    queue_.enqueueMarkerWithWaitList(nullptr, &event);
    queue_.flush();
    return wrap("marker", std::move(event));
  });
}

void ClQueue::wait_for(const Event& event) {
  if (!event.state()) return;
  const std::vector<cl::Event> list{static_cast<ClEvent&>(*event.state()).event()};
  drive("putting a barrier into the queue", [&] {
    // Waiting for a command that was never submitted would not end.
    list.front().getInfo<CL_EVENT_COMMAND_QUEUE>().flush();
    cl::Event event;
    queue_.enqueueBarrierWithWaitList(&list, &event);
    wrap("barrier", std::move(event));
  });
}

void ClQueue::flush() {
  drive("flushing the queue", [&] { queue_.flush(); });
}

void ClQueue::do_finish() {
  if (traits_.polls) {
    // A marker, or the driver's own finish, would wait for what other queues have begun meanwhile: they share a
    // channel.
    std::exchange(last_, {}).wait();
  } else {
    const Activity activity(last_kernel_ ? "waiting for the kernel" : "waiting for",
                            last_kernel_ ? std::string_view(*last_kernel_) : "transfers", device_->text);
    translate(*device_, [&] { queue_.finish(); });
  }
  if (std::exchange(has_work_, false)) buffers_->end_work();
}

Event ClQueue::do_write(Memory& to, std::size_t offset, const void* from, std::size_t bytes) {
  return drive("beginning to write a buffer", [&] {
    cl::Event event;
    queue_.enqueueWriteBuffer(buffer_of(to), blocking(), offset, bytes, from, nullptr, &event);
    return wrap("write", std::move(event));
  });
}

Event ClQueue::do_read(Memory& from, std::size_t offset, void* to, std::size_t bytes) {
  return drive("beginning to read a buffer", [&] {
    cl::Event event;
    queue_.enqueueReadBuffer(buffer_of(from), blocking(), offset, bytes, to, nullptr, &event);
    return wrap("read", std::move(event));
  });
}

Event ClQueue::do_fill(Memory& to, std::size_t offset, std::size_t bytes, const void* value, std::size_t value_bytes) {
  return drive("beginning to fill a buffer", [&] {
    cl::Event event;
    // The bindings take the value by its type; the size is only known here.
    const auto status =
        clEnqueueFillBuffer(queue_(), buffer_of(to)(), value, value_bytes, offset, bytes, 0, nullptr, &event());
    if (status != CL_SUCCESS) throw_status(status, "clEnqueueFillBuffer", *device_);
    return wrap("fill", std::move(event));
  });
}

Event ClQueue::do_copy(Memory& from, std::size_t from_offset, Memory& to, std::size_t to_offset, std::size_t bytes) {
  return drive("beginning to copy a buffer", [&] {
    cl::Event event;
    queue_.enqueueCopyBuffer(buffer_of(from), buffer_of(to), from_offset, to_offset, bytes, nullptr, &event);
    return wrap("copy", std::move(event));
  });
}

// The driver compiles the kernel for work-groups of this size before it starts: what a command waits for its start in
// an empty queue is no time of the run.
cl::Event ClQueue::launch_first(ClKernel& kernel, const cl::NDRange& global, const cl::NDRange& local) {
  const Activity activity(fmt::format("compiling {} for {} for the first time", kernel.name(), device_->text));
  const DriverOutput hidden;
  queue_.finish();
  cl::Event event;
  compiling_->enqueueNDRangeKernel(kernel.kernel(), cl::NullRange, global, local, nullptr, &event);
  event.wait();
  const auto submitted = event.getProfilingInfo<CL_PROFILING_COMMAND_SUBMIT>();
  const auto started = event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
  if (started > submitted) add_first_launch(static_cast<double>(started - submitted) * 1e-9);
  return event;
}

Event ClQueue::do_launch(KernelBase& base, const Range& range, std::span<const Argument> arguments) {
  auto& kernel = static_cast<ClKernel&>(base);
  if (kernel.subgroup_size() > 1) trusted_->confirm();
  auto group = range.group;
  if (group[0] == 0) {
    const auto others = group[1] * group[2];
    group[0] = std::max(1U, std::min(kernel.max_group_size(), usual_group_size) / others);
  }
  if (group[0] * group[1] * group[2] > kernel.max_group_size())
    throw InvalidInput(fmt::format("a work-group of {}x{}x{} was asked for, and this kernel takes {} on {}", group[0],
                                   group[1], group[2], kernel.max_group_size(), device_->text));
  std::array<std::size_t, 3> global{}, local{};
  for (std::size_t i = 0; i < 3; ++i) {
    local[i] = group[i];
    global[i] = (range.items[i] + group[i] - 1) / group[i] * group[i];
  }
  if (global[0] * global[1] * global[2] == 0) return {};
  return translate(*device_, [&] {
    const Activity activity("launching the kernel", kernel.name(), device_->text);
    const std::lock_guard lock(kernel.mutex());
    for (cl_uint i = 0; i < arguments.size(); ++i) {
      const auto& argument = arguments[i];
      switch (argument.kind) {
        case Argument::Kind::buffer: kernel.kernel().setArg(i, buffer_of(*argument.memory)); break;
        case Argument::Kind::local: kernel.kernel().setArg(i, argument.bytes, nullptr); break;
        case Argument::Kind::value: kernel.kernel().setArg(i, argument.bytes, argument.value); break;
      }
    }
    if (compiling_ && kernel.is_new_size(group))
      return wrap(kernel.name(), launch_first(kernel, nd_range(global), nd_range(local)));
    cl::Event event;
    const auto enqueue = [&] {
      queue_.enqueueNDRangeKernel(kernel.kernel(), cl::NullRange, nd_range(global), nd_range(local), nullptr, &event);
    };
    if (!compiling_ && traits_.may_compile_late && DriverOutput::hides() && kernel.is_new_size(group)) {
      // Drivers compile here; those of processors do so in a thread of their own, before the kernel runs.
      const Activity first(fmt::format("running {} on {} for the first time", kernel.name(), device_->text));
      const DriverOutput hidden;
      enqueue();
      if (!traits_.polls) event.wait();
    } else {
      enqueue();
    }
    last_kernel_ = kernel.shared_name();
    return wrap(kernel.name(), std::move(event));
  });
}

}  // namespace clopt::opencl
