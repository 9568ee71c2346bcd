/// \file
/// Ordered work on a device: transfers, launches, events.
#pragma once

#include <clopt/export.hpp>

#include <clopt/memory.hpp>
#include <clopt/operation.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

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
///
/// The device only ever sees memory of the host that the queue shares: its own, or that of a HostArray. The queue keeps
/// it until the transfer is known to be done, also where a call fails on the way; what a device may still use when the
/// queue itself goes is never freed.
class CLOPT_API Queue {
 public:
  Queue() = default;
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  virtual ~Queue();

  /// Copies \p from to the elements of \p to from \p first on, and waits until they are there.
  /// \throws InvalidInput naming the buffer if it is short, or another device's.
  template <class T>
  void write(const Buffer<T>& to, std::span<const std::type_identity_t<T>> from, std::size_t first = 0) {
    begin_write(to, first, from.size());
    write_staged(*to.memory(), first * sizeof(T), from.data(), from.size_bytes());
  }
  /// The same, straight from \p from: for much.
  template <class T>
  void write(const Buffer<T>& to, const HostArray<std::type_identity_t<T>>& from, std::size_t first = 0) {
    write_later(to, from, first).wait();
    if (!from.empty()) release_all();
  }
  /// Copies \p from to the device without waiting. \p from is copied on the host first, and may change at once.
  template <class T>
  Event write_later(const Buffer<T>& to, std::span<const std::type_identity_t<T>> from, std::size_t first = 0) {
    begin_write(to, first, from.size());
    return write_copied(*to.memory(), first * sizeof(T), from.data(), from.size_bytes());
  }
  /// The same without a copy on the host: the elements of \p from must stay as they are until the event is done.
  template <class T>
  Event write_later(const Buffer<T>& to, const HostArray<std::type_identity_t<T>>& from, std::size_t first = 0) {
    begin_write(to, first, from.size());
    return write_shared(*to.memory(), first * sizeof(T), from.data(), from.size() * sizeof(T), from.owner());
  }
  /// Copies elements of \p from, from \p first on, to \p to, and waits until they are there.
  template <class T>
  void read(const Buffer<T>& from, std::span<std::remove_const_t<T>> to, std::size_t first = 0) {
    begin_read(from, first, to.size());
    read_staged(*from.memory(), first * sizeof(T), to.data(), to.size_bytes());
  }
  /// The same, straight into \p to: for much.
  template <class T>
  void read(const Buffer<T>& from, const HostArray<std::remove_const_t<T>>& to, std::size_t first = 0) {
    read_later(from, to, first).wait();
    if (!to.empty()) release_all();
  }
  /// All elements of \p from.
  template <class T>
  std::vector<std::remove_const_t<T>> read_all(const Buffer<T>& from) {
    HostArray<std::remove_const_t<T>> to(from.size());
    read(from, to);
    return to.take();
  }
  /// Reads without waiting: the elements of \p to are there when the event is done.
  template <class T>
  Event read_later(const Buffer<T>& from, const HostArray<std::remove_const_t<T>>& to, std::size_t first = 0) {
    begin_read(from, first, to.size());
    return read_shared(*from.memory(), first * sizeof(T), to.data(), to.size() * sizeof(T), to.owner());
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
  void finish();

  const QueueCounts& counts() const { return counts_; }

 protected:
  virtual void do_finish() = 0;
  /// \param from stays where it is, and as it is, until the event is done.
  virtual Event do_write(Memory& to, std::size_t offset, const void* from, std::size_t bytes) = 0;
  /// \param to stays where it is until the event is done.
  virtual Event do_read(Memory& from, std::size_t offset, void* to, std::size_t bytes) = 0;
  virtual Event do_fill(Memory& to, std::size_t offset, std::size_t bytes, const void* value,
                        std::size_t value_bytes) = 0;
  virtual Event do_copy(Memory& from, std::size_t from_offset, Memory& to, std::size_t to_offset,
                        std::size_t bytes) = 0;
  virtual Event do_launch(KernelBase& kernel, const Range& range, std::span<const Argument> arguments) = 0;
  /// For a backend whose driver compiles a kernel when it is launched: adds to Device::first_launch_seconds().
  void add_first_launch(double seconds);
  /// Waits for all work, whether it fails or not: for the destructor of a backend's queue, while its do_finish() is
  /// there. Host memory of transfers that cannot be waited for is never freed.
  void drain() noexcept;

 private:
  friend class Device;  // which sets the tag of what its backend gave

  /// Memory that a transfer may be using.
  struct Pending {
    std::shared_ptr<const void> memory;
    std::optional<Event> event;  ///< none where the call failed that began the transfer
  };

  template <class T>
  void begin_write(const Buffer<T>& to, std::size_t first, std::size_t count) {
    check(*to.memory(), to.size(), first, count, "write");
    counts_.bytes_written += count * sizeof(T);
  }
  template <class T>
  void begin_read(const Buffer<T>& from, std::size_t first, std::size_t count) {
    check(*from.memory(), from.size(), first, count, "read");
    counts_.bytes_read += count * sizeof(T);
  }
  void write_staged(Memory& to, std::size_t offset, const void* from, std::size_t bytes);
  Event write_copied(Memory& to, std::size_t offset, const void* from, std::size_t bytes);
  Event write_shared(Memory& to, std::size_t offset, const void* from, std::size_t bytes,
                     const std::shared_ptr<const void>& owner);
  void read_staged(Memory& from, std::size_t offset, void* to, std::size_t bytes);
  Event read_shared(Memory& from, std::size_t offset, void* to, std::size_t bytes,
                    const std::shared_ptr<const void>& owner);
  const std::shared_ptr<std::byte[]>& staging(std::size_t bytes);
  template <class Begin>
  Event keep(const std::shared_ptr<const void>& memory, const Begin& begin);
  void release_done();
  void release_all() { pending_.clear(); }

  void check(const Memory& memory, std::size_t size, std::size_t first, std::size_t count, const char* what) const;
  void require_own(const Memory& memory) const;
  Event launch_erased(KernelBase& kernel, const Range& range, std::span<const Argument> arguments);

  std::shared_ptr<const DeviceTag> device_;
  bool transfers_are_calls_ = false;  // done when they return
  QueueCounts counts_;
  std::vector<Pending> pending_;  // in the order of the work
  std::size_t release_at_ = 0;    // how many there are when those that are done are looked for
  std::shared_ptr<std::byte[]> staging_;
  std::size_t staging_bytes_ = 0;
};

}  // namespace clopt
