/// \file
/// Memory on a device and typed views of it.
#pragma once

#include <clopt/export.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace clopt {

/// Where a buffer lives.
enum class MemoryKind {
  device,       ///< the device's own memory
  host_visible  ///< the host's memory, page-locked where the device has that: transfers to and from it are the fastest,
                ///< and run beside other work. Kernels do not take it
};
/// "device" or "host_visible".
CLOPT_API std::string_view name_of(MemoryKind kind);

class KnownAnswers;  // of the library

/// Which device something belongs to: compared by address, and what messages call the device. It outlives the device
/// where a buffer does.
struct DeviceTag {
  explicit DeviceTag(std::string text) : label(std::move(text)) {}

  const std::string label;                                ///< "opencl:0 (name)"
  mutable std::shared_ptr<KnownAnswers> known_answers{};  ///< what the device must prove; none where it is trusted
  mutable std::atomic<double> first_launch_seconds{0};    ///< see Device::first_launch_seconds()
};

/// One allocation on one device, freed with its last owner. Backends derive from it.
class CLOPT_API Memory {
 public:
  Memory(std::string name, std::size_t bytes) : name_(std::move(name)), bytes_(bytes) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  virtual ~Memory() = default;

  /// What the buffer is called in messages.
  const std::string& name() const { return name_; }
  std::size_t bytes() const { return bytes_; }
  /// Where the host has a host_visible memory; null for a device's own.
  virtual void* host() const { return nullptr; }
  /// The device that allocated it.
  const DeviceTag* device() const { return device_.get(); }

 private:
  friend class Device;  // which sets the tag of what its backend gave

  std::shared_ptr<const DeviceTag> device_;
  std::string name_;
  std::size_t bytes_;
};

/// A typed handle of memory on a device: copies share the memory. A Buffer<T> converts to a Buffer<const T>.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using Element = T;

  Buffer() = default;
  /// \param memory holds at least \p count elements.
  Buffer(std::shared_ptr<Memory> memory, std::size_t count) : memory_(std::move(memory)), count_(count) {}
  template <class U>
  requires(std::is_same_v<const U, T> && !std::is_same_v<U, T>)
      Buffer(const Buffer<U>& other)  // NOLINT(google-explicit-constructor): reading is always allowed
      : memory_(other.memory()), count_(other.size()) {}

  std::size_t size() const { return count_; }
  std::size_t bytes() const { return count_ * sizeof(T); }
  const std::shared_ptr<Memory>& memory() const { return memory_; }
  explicit operator bool() const { return memory_ != nullptr; }
  /// The elements of a host_visible buffer.
  std::span<T> host() const { return {static_cast<T*>(memory_->host()), count_}; }

 private:
  std::shared_ptr<Memory> memory_;
  std::size_t count_ = 0;
};

}  // namespace clopt
