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
#include <vector>

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

/// Elements in the host's memory that a transfer may use after the call that gave it to a queue. Copies share them, and
/// the queue has such a copy until the transfer is done: so they never go too early, whatever fails.
template <class T>
class HostArray {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>);

 public:
  using value_type = T;

  HostArray() = default;
  /// \param count elements, each T{}.
  explicit HostArray(std::size_t count) : HostArray(std::vector<T>(count)) {}
  explicit HostArray(std::vector<T> values) {
    auto owner = std::make_shared<std::vector<T>>(std::move(values));
    data_ = owner->data();
    count_ = owner->size();
    values_ = owner.get();
    owner_ = std::move(owner);
  }
  /// \param owner keeps the \p count elements from \p data on.
  HostArray(std::shared_ptr<const void> owner, T* data, std::size_t count)
      : owner_(std::move(owner)), data_(data), count_(count) {}
  /// The elements of a host_visible buffer.
  explicit HostArray(const Buffer<T>& buffer)
      : owner_(buffer.memory()), data_(buffer.host().data()), count_(buffer.size()) {}

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  T* data() const { return data_; }
  T* begin() const { return data_; }
  T* end() const { return data_ + count_; }
  T& operator[](std::size_t i) const { return data_[i]; }
  /// \p count elements from \p first on, at most all that follow, which share the memory.
  HostArray part(std::size_t first, std::size_t count = static_cast<std::size_t>(-1)) const {
    HostArray other(*this);
    other.data_ += first;
    other.count_ = count < count_ - first ? count : count_ - first;
    return other;
  }
  /// Moves the values, all that the array was made with, out again: not of a host_visible buffer, nor of another owner.
  /// No transfer may be using them. O(1).
  std::vector<T> take() {
    auto values = std::move(*values_);
    *this = {};
    return values;
  }
  /// What keeps the memory.
  const std::shared_ptr<const void>& owner() const { return owner_; }

 private:
  std::shared_ptr<const void> owner_;
  std::vector<T>* values_ = nullptr;
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace clopt
