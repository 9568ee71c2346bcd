/// \file
/// Ordered work on a device: transfers, launches, events.
#pragma once

#include <clopt/export.hpp>

#include <clopt/memory.hpp>
#include <clopt/operation.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>

namespace clopt {

/// A kernel built for one device. Backends derive from it.
class CLOPT_API KernelBase {
 public:
  KernelBase() = default;
  KernelBase(const KernelBase&) = delete;
  KernelBase& operator=(const KernelBase&) = delete;
  virtual ~KernelBase() = default;
  /// The most work-items that a work-group of this kernel may have, at least 1.
  virtual std::uint32_t max_group_size() const = 0;
  /// The sub-group width that this kernel was built for; 1 where it uses none.
  virtual std::uint32_t subgroup_size() const = 0;
  /// Waits for the end of a build that was only begun. \throws BuildError with the compiler's log.
  virtual void finish_build() {}
  /// The device that it was built for.
  const DeviceTag* device() const { return device_.get(); }

 private:
  friend class Device;  // which sets the tag of what its backend gave

  std::shared_ptr<const DeviceTag> device_;
};

/// An operation built for one device; copies share it.
template <OperationArguments Arguments>
class Kernel {
 public:
  Kernel() = default;
  explicit Kernel(std::shared_ptr<KernelBase> base) : base_(std::move(base)) {}
  std::uint32_t max_group_size() const { return base_->max_group_size(); }
  std::uint32_t subgroup_size() const { return base_->subgroup_size(); }
  KernelBase& base() const { return *base_; }
  explicit operator bool() const { return base_ != nullptr; }

 private:
  std::shared_ptr<KernelBase> base_;
};

/// A point in a queue's work. Copies share it; an empty event is done.
class CLOPT_API Event {
 public:
  /// The state that a backend gives an event.
  class State {
   public:
    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    virtual ~State() = default;
    virtual void wait() = 0;
    virtual bool done() = 0;
    virtual std::optional<double> seconds() { return std::nullopt; }
  };

  Event() = default;
  explicit Event(std::shared_ptr<State> state) : state_(std::move(state)) {}
  /// Blocks until the work is done. \throws DeviceError where it failed.
  void wait() const {
    if (state_) state_->wait();
  }
  bool done() const { return !state_ || state_->done(); }
  /// How long the work took on the device, if the queue measures time and the device can.
  std::optional<double> seconds() const { return state_ ? state_->seconds() : std::nullopt; }
  const std::shared_ptr<State>& state() const { return state_; }

 private:
  std::shared_ptr<State> state_;
};

/// The work of a queue since it was made.
struct QueueCounts {
  std::uint64_t launches = 0;
  std::uint64_t bytes_written = 0;  ///< host to device
  std::uint64_t bytes_read = 0;     ///< device to host
};

/// Work on one device, done in the order in which it is given. A queue is used by one thread at a time; two queues of a
/// device may overlap. Launches, fills, copies and the transfers called `_later` may return before they are done;
/// write() and read() return when they are. A buffer or kernel of another device is refused.
class CLOPT_API Queue {
 public:
  Queue() = default;
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  virtual ~Queue() = default;

  /// Copies \p from to the elements of \p to from \p first on, and waits until \p from may change.
  /// \throws InvalidInput naming the buffer if it is short, or another device's.
  template <class T>
  void write(const Buffer<T>& to, std::span<const std::type_identity_t<T>> from, std::size_t first = 0) {
    write_later(to, from, first).wait();
  }
  /// The same without waiting: \p from must stay as it is until the event is done.
  template <class T>
  Event write_later(const Buffer<T>& to, std::span<const std::type_identity_t<T>> from, std::size_t first = 0) {
    check(*to.memory(), to.size(), first, from.size(), "write");
    counts_.bytes_written += from.size_bytes();
    return from.empty() ? Event{} : do_write(*to.memory(), first * sizeof(T), from.data(), from.size_bytes());
  }
  /// Copies elements of \p from, from \p first on, to \p to, and waits until they are there.
  template <class T>
  void read(const Buffer<T>& from, std::span<std::remove_const_t<T>> to, std::size_t first = 0) {
    read_later(from, to, first).wait();
  }
  /// The same without waiting: \p to must stay until the event is done.
  template <class T>
  Event read_later(const Buffer<T>& from, std::span<std::remove_const_t<T>> to, std::size_t first = 0) {
    check(*from.memory(), from.size(), first, to.size(), "read");
    counts_.bytes_read += to.size_bytes();
    return to.empty() ? Event{} : do_read(*from.memory(), first * sizeof(T), to.data(), to.size_bytes());
  }
  /// Sets \p count elements of \p to, from \p first on (all that follow by default), to \p value.
  template <class T>
  Event fill(const Buffer<T>& to, const std::type_identity_t<T>& value, std::size_t first = 0,
             std::size_t count = static_cast<std::size_t>(-1)) {
    if (count == static_cast<std::size_t>(-1)) count = to.size() - first;
    check(*to.memory(), to.size(), first, count, "fill");
    return count == 0 ? Event{} : do_fill(*to.memory(), first * sizeof(T), count * sizeof(T), &value, sizeof(T));
  }
  /// Copies \p count elements from one buffer of the device to another; the parts do not overlap.
  template <class T>
  Event copy(const Buffer<T>& from, const Buffer<std::remove_const_t<T>>& to, std::size_t count,
             std::size_t first_from = 0, std::size_t first_to = 0) {
    check(*from.memory(), from.size(), first_from, count, "copy from");
    check(*to.memory(), to.size(), first_to, count, "copy to");
    return count == 0
               ? Event{}
               : do_copy(*from.memory(), first_from * sizeof(T), *to.memory(), first_to * sizeof(T), count * sizeof(T));
  }
  /// Runs a kernel over a range, with the arguments by name, in the order of the kernel's parameters:
  /// `queue.launch(kernel, range, {.before = a, .after = b, .item = 3})`.
  template <OperationArguments Arguments>
  Event launch(const Kernel<Arguments>& kernel, const Range& range, const std::type_identity_t<Arguments>& arguments) {
    return launch_erased(kernel.base(), range, arguments.arguments());
  }

  /// An event that is done when everything given so far is.
  virtual Event record() = 0;
  /// Lets nothing that is given later start before \p event, of any queue of the device, is done.
  virtual void wait_for(const Event& event) = 0;
  /// Hands everything given so far to the device.
  virtual void flush() = 0;
  /// Blocks until everything given so far is done. \throws DeviceError where some of it failed.
  virtual void finish() = 0;

  const QueueCounts& counts() const { return counts_; }

 protected:
  virtual Event do_write(Memory& to, std::size_t offset, const void* from, std::size_t bytes) = 0;
  virtual Event do_read(Memory& from, std::size_t offset, void* to, std::size_t bytes) = 0;
  virtual Event do_fill(Memory& to, std::size_t offset, std::size_t bytes, const void* value,
                        std::size_t value_bytes) = 0;
  virtual Event do_copy(Memory& from, std::size_t from_offset, Memory& to, std::size_t to_offset,
                        std::size_t bytes) = 0;
  virtual Event do_launch(KernelBase& kernel, const Range& range, std::span<const Argument> arguments) = 0;
  /// For a backend whose driver compiles a kernel when it is launched: adds to Device::first_launch_seconds().
  void add_first_launch(double seconds);

 private:
  friend class Device;  // which sets the tag of what its backend gave

  void check(const Memory& memory, std::size_t size, std::size_t first, std::size_t count, const char* what) const;
  void require_own(const Memory& memory) const;
  Event launch_erased(KernelBase& kernel, const Range& range, std::span<const Argument> arguments);

  std::shared_ptr<const DeviceTag> device_;
  QueueCounts counts_;
};

}  // namespace clopt
