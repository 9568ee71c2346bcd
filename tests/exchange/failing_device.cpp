/// \file
/// Devices that fail while individuals are evaluated: the others finish the work, with the same result.
#include "networks.hpp"

#include <clopt/clopt.hpp>
#include <exchange/fitness.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>

namespace {

using namespace clopt;
using namespace clopt::exchange;

// Opens what devices and queues keep for their backends.
struct DeviceDoor : Device {
  using Device::do_allocate;
  using Device::do_kernel;
};
struct QueueDoor : Queue {
  using Queue::do_copy;
  using Queue::do_fill;
  using Queue::do_launch;
  using Queue::do_read;
  using Queue::do_write;
};

class FailingQueue : public Queue {
 public:
  FailingQueue(std::unique_ptr<Queue> queue, std::atomic<int>& launches)
      : queue_(std::move(queue)), launches_(launches) {}
  Event record() override { return queue_->record(); }
  void wait_for(const Event& event) override { queue_->wait_for(event); }
  void flush() override { queue_->flush(); }
  void finish() override { queue_->finish(); }

 protected:
  Event do_write(Memory& to, std::size_t offset, const void* from, std::size_t bytes) override {
    return (*queue_.*&QueueDoor::do_write)(to, offset, from, bytes);
  }
  Event do_read(Memory& from, std::size_t offset, void* to, std::size_t bytes) override {
    return (*queue_.*&QueueDoor::do_read)(from, offset, to, bytes);
  }
  Event do_fill(Memory& to, std::size_t offset, std::size_t bytes, const void* value, std::size_t size) override {
    return (*queue_.*&QueueDoor::do_fill)(to, offset, bytes, value, size);
  }
  Event do_copy(Memory& from, std::size_t from_offset, Memory& to, std::size_t to_offset, std::size_t bytes) override {
    return (*queue_.*&QueueDoor::do_copy)(from, from_offset, to, to_offset, bytes);
  }
  Event do_launch(KernelBase& kernel, const Range& range, std::span<const Argument> arguments) override {
    if (launches_-- <= 0) throw DeviceError("the device is gone");
    return (*queue_.*&QueueDoor::do_launch)(kernel, range, arguments);
  }

 private:
  std::unique_ptr<Queue> queue_;
  std::atomic<int>& launches_;
};

/// The OpenMP device, which is lost after a number of launches.
class FailingDevice : public Device {
 public:
  explicit FailingDevice(int launches) : device_(open_device("openmp:0")), launches_(launches) {
    info_ = device_->info();
  }
  std::unique_ptr<Queue> queue(const QueueOptions& options) override {
    return std::make_unique<FailingQueue>(device_->queue(options), launches_);
  }

 protected:
  std::shared_ptr<Memory> do_allocate(const std::string& name, std::size_t bytes, MemoryKind kind) override {
    return (*device_.*&DeviceDoor::do_allocate)(name, bytes, kind);
  }
  std::shared_ptr<KernelBase> do_kernel(const OperationInfo& operation, const Program& program) override {
    return (*device_.*&DeviceDoor::do_kernel)(operation, program);
  }

 private:
  std::shared_ptr<Device> device_;
  std::atomic<int> launches_;
};

Result run(const std::vector<std::shared_ptr<Device>>& devices) {
  Options options;
  options.optimizer = "umda";
  options.population = 50;
  options.generations = 9;
  return solve(test::complete_exchange("mesh:3x3"), options, devices);
}

BOOST_AUTO_TEST_SUITE(failing_devices)

BOOST_AUTO_TEST_CASE(others_finish_what_a_device_gives_back) {
  const auto whole = open_device("openmp:0");
  const auto reference = run({whole});
  for (const int launches : {0, 1, 2, 7})
    for (const bool first : {true, false}) {
      const auto failing = std::make_shared<FailingDevice>(launches);
      const auto found = first ? run({failing, whole}) : run({whole, failing, whole});
      BOOST_TEST(found.checksum == reference.checksum, launches << " launches");
      BOOST_TEST(found.generations == 9U);
    }
}

BOOST_AUTO_TEST_CASE(the_last_device_s_failure_is_told) {
  const std::vector<std::shared_ptr<Device>> devices{std::make_shared<FailingDevice>(3),
                                                     std::make_shared<FailingDevice>(1)};
  BOOST_CHECK_EXCEPTION(run(devices), DeviceError,
                        [](const auto& error) { return std::string(error.what()) == "the device is gone"; });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
