/// \file
/// A device that does its work as late as it may, and of whose calls one fails.
#pragma once

#include <clopt/device.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <support/failing_device.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace clopt::test {

/// What the late device's calls have in common: their number, and the work that is left.
class LateWork {
 public:
  explicit LateWork(std::uint64_t failing_call, bool stays_lost)
      : failing_call_(failing_call), stays_lost_(stays_lost) {}

  /// To be called by each call that may fail.
  void call() {
    const std::lock_guard lock(mutex);
    ++calls_;
    if (calls_ == failing_call_ || (stays_lost_ && calls_ > failing_call_)) throw DeviceError("the device is gone");
  }
  std::uint64_t calls() {
    const std::lock_guard lock(mutex);
    return calls_;
  }

  std::recursive_mutex mutex;

 private:
  std::uint64_t failing_call_;
  bool stays_lost_;
  std::uint64_t calls_ = 0;
};

/// The commands of a queue, which may outlive it.
class LateCommands {
 public:
  struct Command {
    std::function<void(Queue&)> run;
    bool is_transfer;
  };

  LateCommands(std::shared_ptr<LateWork> work, std::unique_ptr<Queue> queue)
      : work_(std::move(work)), queue_(std::move(queue)) {}

  LateWork& work() { return *work_; }
  std::uint64_t add(Command command) {
    const std::lock_guard lock(work_->mutex);
    commands_.push_back(std::move(command));
    return done_ + commands_.size();
  }
  std::uint64_t added() {
    const std::lock_guard lock(work_->mutex);
    return done_ + commands_.size();
  }
  /// Does the first \p count commands of all.
  void run(std::uint64_t count) {
    const std::lock_guard lock(work_->mutex);
    while (done_ < count && !commands_.empty()) {
      const auto command = std::move(commands_.front());
      commands_.pop_front();
      ++done_;
      command.run(*queue_);
    }
  }
  bool has_run(std::uint64_t count) {
    const std::lock_guard lock(work_->mutex);
    return done_ >= count;
  }
  /// What a device does that is not waited for any more: it still reads and writes the memory that it was given.
  void catch_up() {
    const std::lock_guard lock(work_->mutex);
    for (const auto& command : commands_)
      if (command.is_transfer) command.run(*queue_);
    commands_.clear();
  }

 private:
  std::shared_ptr<LateWork> work_;
  std::unique_ptr<Queue> queue_;
  std::deque<Command> commands_;
  std::uint64_t done_ = 0;
};

class LateEvent : public Event::State {
 public:
  LateEvent(std::shared_ptr<LateCommands> commands, std::uint64_t count)
      : commands_(std::move(commands)), count_(count) {}
  void wait() override {
    commands_->work().call();
    commands_->run(count_);
  }
  bool done() override { return commands_->has_run(count_); }
  void run() { commands_->run(count_); }

 private:
  std::shared_ptr<LateCommands> commands_;
  std::uint64_t count_;
};

class LateMemory : public Memory {
 public:
  LateMemory(const std::string& name, std::size_t bytes, Buffer<std::byte> inner, bool is_visible)
      : Memory(name, bytes), inner_(std::move(inner)), is_visible_(is_visible) {}
  void* host() const override { return is_visible_ ? inner_.memory()->host() : nullptr; }
  const Buffer<std::byte>& inner() const { return inner_; }

 private:
  Buffer<std::byte> inner_;
  bool is_visible_;
};

class LateKernel : public KernelBase {
 public:
  explicit LateKernel(std::shared_ptr<KernelBase> inner) : inner_(std::move(inner)) {}
  std::uint32_t max_group_size() const override { return inner_->max_group_size(); }
  std::uint32_t subgroup_size() const override { return inner_->subgroup_size(); }
  const std::shared_ptr<KernelBase>& inner() const { return inner_; }

 private:
  std::shared_ptr<KernelBase> inner_;
};

class LateQueue : public Queue {
 public:
  explicit LateQueue(std::shared_ptr<LateCommands> commands) : commands_(std::move(commands)) {}
  ~LateQueue() override { drain(); }
  Event record() override {
    commands_->work().call();
    return event(commands_->added());
  }
  void wait_for(const Event& event) override {
    commands_->work().call();
    if (!event.state()) return;
    commands_->add({[state = event.state()](Queue&) { static_cast<LateEvent&>(*state).run(); }, false});
  }
  void flush() override { commands_->work().call(); }

 protected:
  void do_finish() override {
    commands_->work().call();
    commands_->run(std::numeric_limits<std::uint64_t>::max());
  }
  Event do_write(Memory& to, std::size_t offset, const void* from, std::size_t bytes) override {
    return give({[inner = inner_of(to), offset, from, bytes](Queue& queue) {
                   queue.write(inner, std::span(static_cast<const std::byte*>(from), bytes), offset);
                 },
                 true});
  }
  Event do_read(Memory& from, std::size_t offset, void* to, std::size_t bytes) override {
    return give({[inner = inner_of(from), offset, to, bytes](Queue& queue) {
                   queue.read(inner, std::span(static_cast<std::byte*>(to), bytes), offset);
                 },
                 true});
  }
  Event do_fill(Memory& to, std::size_t offset, std::size_t bytes, const void* value, std::size_t size) override {
    const auto* first = static_cast<const std::byte*>(value);
    return give(
        {[inner = inner_of(to), offset, bytes, kept = std::vector<std::byte>(first, first + size)](Queue& queue) {
           (queue.*&QueueDoor::do_fill)(*inner.memory(), offset, bytes, kept.data(), kept.size());
         },
         false});
  }
  Event do_copy(Memory& from, std::size_t from_offset, Memory& to, std::size_t to_offset, std::size_t bytes) override {
    return give({[one = inner_of(from), other = inner_of(to), from_offset, to_offset, bytes](Queue& queue) {
                   queue.copy(one, other, bytes, from_offset, to_offset);
                 },
                 false});
  }
  Event do_launch(KernelBase& kernel, const Range& range, std::span<const Argument> arguments) override {
    struct Kept {
      std::shared_ptr<KernelBase> kernel;
      Range range;
      std::vector<Argument> arguments;
      std::vector<Buffer<std::byte>> buffers;
      std::deque<std::vector<std::uint64_t>> values;
    };
    const auto kept = std::make_shared<Kept>();
    kept->kernel = static_cast<LateKernel&>(kernel).inner();
    kept->range = range;
    for (auto argument : arguments) {
      if (argument.kind == Argument::Kind::buffer)
        argument.memory = kept->buffers.emplace_back(inner_of(*argument.memory)).memory().get();
      if (argument.kind == Argument::Kind::value) {
        auto& value = kept->values.emplace_back(argument.bytes / 8 + 1);
        std::memcpy(value.data(), argument.value, argument.bytes);
        argument.value = value.data();
      }
      kept->arguments.push_back(argument);
    }
    return give(
        {[kept](Queue& queue) { (queue.*&QueueDoor::do_launch)(*kept->kernel, kept->range, kept->arguments); }, false});
  }

 private:
  static Buffer<std::byte> inner_of(Memory& memory) { return static_cast<LateMemory&>(memory).inner(); }
  Event event(std::uint64_t count) const { return Event(std::make_shared<LateEvent>(commands_, count)); }
  Event give(LateCommands::Command command) {
    commands_->work().call();
    return event(commands_->add(std::move(command)));
  }

  std::shared_ptr<LateCommands> commands_;
};

/// The OpenMP device; but a command runs when it is waited for, and not before. One call fails, and where the device
/// stays lost, all that follow do. What was given before is then done when the test asks for it: it uses memory that
/// the run, which has ended, had given it. Where that was freed, the address sanitizer reports it.
class LateDevice : public Device {
 public:
  /// \param failing_call counted from 1; 0: none.
  explicit LateDevice(std::uint64_t failing_call = 0, bool stays_lost = false)
      : device_(open_device("openmp:0", {.threads = 1, .force = false, .self_test = false})),
        work_(std::make_shared<LateWork>(failing_call == 0 ? std::numeric_limits<std::uint64_t>::max() : failing_call,
                                         stays_lost)) {
    info_ = device_->info();
    info_.launches_are_calls = false;
    info_.id = "late:0";
  }

  /// Calls so far.
  std::uint64_t calls() const { return work_->calls(); }
  /// Does the transfers that are left.
  void catch_up() {
    for (const auto& commands : commands_) commands->catch_up();
  }

 protected:
  std::unique_ptr<Queue> do_queue(const QueueOptions& options) override {
    work_->call();
    const std::lock_guard lock(work_->mutex);
    commands_.push_back(std::make_shared<LateCommands>(work_, device_->queue(options)));
    return std::make_unique<LateQueue>(commands_.back());
  }
  std::shared_ptr<Memory> do_allocate(const std::string& name, std::size_t bytes, MemoryKind kind) override {
    work_->call();
    return std::make_shared<LateMemory>(name, bytes, device_->buffer<std::byte>(name, bytes, kind),
                                        kind == MemoryKind::host_visible);
  }
  std::shared_ptr<KernelBase> do_kernel(const OperationInfo& operation, const Program& program) override {
    work_->call();
    return std::make_shared<LateKernel>((*device_.*&DeviceDoor::do_kernel)(operation, program));
  }

 private:
  std::shared_ptr<Device> device_;
  std::shared_ptr<LateWork> work_;
  std::vector<std::shared_ptr<LateCommands>> commands_;
};

}  // namespace clopt::test
