#include "buffer_pool.hpp"

#include <clopt/detail/activity.hpp>

#include <algorithm>
#include <bit>
#include <utility>

namespace clopt::opencl {
namespace {

// Of larger buffers an eighth is much, and they are not kept for long.
constexpr std::size_t most_with_more_room = std::size_t{1} << 26;

}  // namespace

BufferPool::~BufferPool() {
  for (const auto& idle : idle_) release(idle.buffer);
}

// At least one byte: OpenCL has no empty buffers.
std::size_t BufferPool::room_for(std::size_t bytes) const {
  if (device_kind_ != DeviceKind::gpu || bytes > most_with_more_room) return std::max<std::size_t>(bytes, 1);
  const auto step = std::max<std::size_t>(64, std::bit_floor(bytes) / 8);
  return std::max(step, (bytes + step - 1) / step * step);
}

MappedBuffer BufferPool::take(MemoryKind kind, std::size_t bytes) {
  bytes = room_for(bytes);
  {
    const std::lock_guard lock(mutex_);
    if (busy_queues_ == 0)
      for (auto& idle : idle_) idle.may_be_used = false;
    const auto found = std::find_if(idle_.begin(), idle_.end(), [&](const Idle& idle) {
      return idle.kind == kind && idle.bytes == bytes && !idle.may_be_used;
    });
    if (found != idle_.end()) {
      auto buffer = std::move(found->buffer);
      idle_.erase(found);
      idle_bytes_ -= bytes;
      return buffer;
    }
  }
  try {
    return make(kind, bytes);
  } catch (const cl::Error&) {
    // Those that are kept may be what is missing.
    std::list<Idle> released;
    {
      const std::lock_guard lock(mutex_);
      if (idle_.empty()) throw;
      released.swap(idle_);
      idle_bytes_ = 0;
    }
    for (const auto& idle : released) release(idle.buffer);
  }
  return make(kind, bytes);
}

MappedBuffer BufferPool::make(MemoryKind kind, std::size_t bytes) {
  const bool is_mapped = kind == MemoryKind::host_visible;
  MappedBuffer made;
  made.buffer = cl::Buffer(await(context_), CL_MEM_READ_WRITE | (is_mapped ? CL_MEM_ALLOC_HOST_PTR : 0), bytes);
  if (is_mapped) {
    const std::lock_guard lock(mutex_);
    if (mapping_queue_() == nullptr) mapping_queue_ = cl::CommandQueue(await(context_), device_);
    made.host = mapping_queue_.enqueueMapBuffer(made.buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes);
  }
  return made;
}

void BufferPool::release(const MappedBuffer& buffer) noexcept {
  if (buffer.host == nullptr) return;
  const Activity activity("unmapping", "a buffer");
  try {
    mapping_queue_.enqueueUnmapMemObject(buffer.buffer, buffer.host);
    mapping_queue_.finish();
  } catch (const cl::Error&) {
    // The memory goes with the buffer.
  }
}

void BufferPool::give_back(MemoryKind kind, std::size_t bytes, MappedBuffer buffer) noexcept {
  bytes = room_for(bytes);
  std::list<Idle> released;
  try {
    released.push_back({kind, bytes, std::move(buffer), busy_queues_ > 0});
    const std::lock_guard lock(mutex_);
    if (bytes <= most_bytes_) {
      idle_.splice(idle_.begin(), released);
      idle_bytes_ += bytes;
    }
    while (idle_bytes_ > most_bytes_) {
      idle_bytes_ -= idle_.back().bytes;
      released.splice(released.end(), idle_, std::prev(idle_.end()));
    }
  } catch (...) {
    // There is no memory to note it: it goes.
  }
  for (const auto& idle : released) release(idle.buffer);
}

}  // namespace clopt::opencl
