/// \file
/// Buffers that a device's runs are done with, for the next run.
#pragma once

#include "opencl.hpp"

#include <clopt/device.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>

namespace clopt::opencl {

/// A buffer, and where the host has it mapped, if it has.
struct MappedBuffer {
  cl::Buffer buffer;
  void* host = nullptr;
};

/// Makes buffers, and keeps those that are given back. On an H200, a page-locked buffer of a mebibyte takes 0.9 ms to
/// make, map and release, one of the device 0.06 ms. Only one of the same size serves again. So those of a GPU have up
/// to an eighth more room, and serve runs of about the same size; elsewhere, where tools look for accesses behind a
/// buffer's end, they have none.
class BufferPool {
 public:
  /// \param most_bytes of buffers that are kept.
  BufferPool(SharedContext context, cl::Device device, DeviceKind device_kind, std::uint64_t most_bytes)
      : context_(std::move(context)), device_(std::move(device)), device_kind_(device_kind), most_bytes_(most_bytes) {}
  ~BufferPool();
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  /// A buffer of a size, uninitialised. \throws cl::Error.
  MappedBuffer take(MemoryKind kind, std::size_t bytes);
  /// Commands that were given before may still use it: it serves again once no queue has work.
  void give_back(MemoryKind kind, std::size_t bytes, MappedBuffer buffer) noexcept;

  /// A queue of the device has work that may not be done, and has none any longer.
  void begin_work() { ++busy_queues_; }
  void end_work() { --busy_queues_; }

 private:
  struct Idle {
    MemoryKind kind;
    std::size_t bytes;
    MappedBuffer buffer;
    bool may_be_used;  // by commands under way
  };

  std::size_t room_for(std::size_t bytes) const;
  MappedBuffer make(MemoryKind kind, std::size_t bytes);
  void release(const MappedBuffer& buffer) noexcept;

  SharedContext context_;
  cl::Device device_;
  const DeviceKind device_kind_;
  const std::uint64_t most_bytes_;
  std::atomic<unsigned> busy_queues_{0};
  std::mutex mutex_;
  cl::CommandQueue mapping_queue_;  // made for the first buffer that is mapped
  std::list<Idle> idle_;            // the one that was given back last first
  std::uint64_t idle_bytes_ = 0;
};

}  // namespace clopt::opencl
