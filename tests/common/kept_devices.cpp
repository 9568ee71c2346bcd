// Devices that stay open for the next run, with their kernels.
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <device/kept_devices.hpp>
#include <support/apart.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using clopt::Device;
using clopt::KeptDevices;
using clopt::test::apart;

namespace {

std::atomic<int> closed = 0;

// A device that can do nothing but count the kernels that it builds.
class Counting : public Device {
 public:
  ~Counting() override { ++closed; }
  bool has_failed() const override { return fails; }
  bool fails = false;
  int built = 0;

 protected:
  std::unique_ptr<clopt::Queue> do_queue(const clopt::QueueOptions&) override { return nullptr; }
  std::shared_ptr<clopt::Memory> do_allocate(const std::string&, std::size_t, clopt::MemoryKind) override {
    return nullptr;
  }
  std::shared_ptr<clopt::KernelBase> do_kernel(const clopt::OperationInfo&, const clopt::Program&) override {
    class Nothing : public clopt::KernelBase {
      std::uint32_t max_group_size() const override { return 1; }
      std::uint32_t subgroup_size() const override { return 1; }
    };
    ++built;
    return std::make_shared<Nothing>();
  }
};

struct Arguments {
  static constexpr clopt::OperationInfo info{"probes/nothing", {}};
  std::array<clopt::Argument, 1> arguments() const { return {}; }
  static Arguments of(std::span<const clopt::Argument>) { return {}; }
};

struct Function : clopt::HostFunction {
  Function() : HostFunction("a function") {}
};

std::shared_ptr<Device> counting() { return std::make_shared<Counting>(); }

}  // namespace

BOOST_AUTO_TEST_SUITE(kept_devices)

BOOST_AUTO_TEST_CASE(a_device_is_opened_once_for_each_key) {
  KeptDevices kept;
  const auto first = kept.find_or_open("a", counting);
  BOOST_TEST(kept.find_or_open("a", counting) == first);
  BOOST_TEST(kept.find_or_open("b", counting) != first);
}

BOOST_AUTO_TEST_CASE(threads_get_one_device) {
  KeptDevices kept;
  std::atomic<int> opened = 0;
  std::vector<std::shared_ptr<Device>> devices(8);
  {
    std::vector<std::jthread> threads;
    threads.reserve(devices.size());
    for (auto& device : devices)
      threads.emplace_back([&] {
        device = kept.find_or_open("a", [&] {
          ++opened;
          return counting();
        });
      });
  }
  BOOST_TEST(opened == 1);
  for (const auto& device : devices) BOOST_TEST(device == devices.front());
}

BOOST_AUTO_TEST_CASE(a_device_that_fails_is_opened_anew) {
  KeptDevices kept;
  const auto first = kept.find_or_open("a", counting);
  std::static_pointer_cast<Counting>(first)->fails = true;
  const auto second = kept.find_or_open("a", counting);
  BOOST_TEST(second != first);
  BOOST_TEST(kept.find_or_open("a", counting) == second);
}

BOOST_AUTO_TEST_CASE(what_does_not_open_is_tried_again) {
  KeptDevices kept;
  BOOST_CHECK_THROW(kept.find_or_open("a", []() -> std::shared_ptr<Device> { throw clopt::NoDevice("none"); }),
                    clopt::NoDevice);
  BOOST_TEST(kept.find_or_open("a", counting) != nullptr);
}

BOOST_AUTO_TEST_CASE(a_released_device_closes_with_its_last_user) {
  KeptDevices kept;
  const int before = closed;
  auto used = kept.find_or_open("a", counting);
  kept.find_or_open("b", counting);
  kept.release();
  BOOST_TEST(closed == before + 1);
  used.reset();
  BOOST_TEST(closed == before + 2);
}

BOOST_AUTO_TEST_CASE(what_is_open_is_found_without_opening) {
  KeptDevices kept;
  BOOST_TEST(kept.find("a") == nullptr);
  const auto device = kept.find_or_open("a", counting);
  BOOST_TEST(kept.find("a") == device);
  BOOST_TEST(kept.find("b") == nullptr);
  std::static_pointer_cast<Counting>(device)->fails = true;
  BOOST_TEST(kept.find("a") == nullptr);
}

BOOST_AUTO_TEST_CASE(one_device_is_released_alone) {
  KeptDevices kept;
  const auto released = kept.find_or_open("a", counting);
  const auto other = kept.find_or_open("b", counting);
  kept.release(*released);
  BOOST_TEST(kept.find("a") == nullptr);
  BOOST_TEST(kept.find("b") == other);
  BOOST_TEST(kept.find_or_open("a", counting) != released);
}

// Its parent's driver has no threads there, so that even closing it may hang.
BOOST_AUTO_TEST_CASE(a_fork_opens_its_own_and_closes_none_of_its_parents) {
  KeptDevices kept;
  const auto* parents = kept.find_or_open("a", counting).get();
  const int before = closed;
  BOOST_TEST(apart([&] {
               const auto childs = kept.find_or_open("a", counting);
               const bool differs = childs.get() != parents;
               kept.release();
               return std::string(differs ? "another, " : "the same, ") + std::to_string(closed - before);
             }) == "another, 0");
  BOOST_TEST(kept.find_or_open("a", counting).get() == parents);
}

// Apart: this process must not list devices, see registry.cpp.
BOOST_AUTO_TEST_CASE(the_processor_is_kept_by_the_way_it_was_opened) {
  BOOST_TEST(apart([] {
               const auto open = [](unsigned threads, bool self_test) {
                 return clopt::open_device("openmp:0", {.threads = threads, .self_test = self_test});
               };
               const auto one = open(1, false);
               std::string text = open(1, false) == one ? "kept" : "not kept";
               if (open(2, false) == one) text += ", threads are ignored";
               if (open(1, true) == one) text += ", tests are ignored";
               clopt::release_devices();
               return text + (open(1, false) == one ? ", not released" : ", released");
             }) == "kept, released");
}

BOOST_AUTO_TEST_CASE(a_kernel_is_built_once_for_each_program) {
  Counting device;
  clopt::Program program;
  const auto first = device.kernel<Arguments>(program);
  BOOST_TEST(&device.kernel<Arguments>(program).base() == &first.base());
  BOOST_TEST(device.built == 1);
  program.defines.set("SIZE", 1);
  device.kernel<Arguments>(program);
  BOOST_TEST(device.built == 2);
  program.texts["objective"] = "a text";
  device.kernel<Arguments>(program);
  BOOST_TEST(device.built == 3);
  program.texts["objective"] = "another text";
  device.kernel<Arguments>(program);
  BOOST_TEST(device.built == 4);
  program.fast_math = true;
  device.kernel<Arguments>(program);
  program.registers = 32;
  device.kernel<Arguments>(program);
  program.subgroup_size = 8;
  device.kernel<Arguments>(program);
  BOOST_TEST(device.built == 7);
  device.kernel<Arguments>(program);
  BOOST_TEST(device.built == 7);
}

// Its address may be another function's later.
BOOST_AUTO_TEST_CASE(a_kernel_that_calls_a_function_is_not_kept) {
  Counting device;
  clopt::Program program;
  program.host_function = std::make_shared<Function>();
  device.kernel<Arguments>(program);
  device.kernel<Arguments>(program);
  BOOST_TEST(device.built == 2);
}

BOOST_AUTO_TEST_CASE(the_oldest_of_many_kernels_go) {
  Counting device;
  const auto build = [&](int number) {
    clopt::Program program;
    program.defines.set("NUMBER", number);
    device.kernel<Arguments>(program);
  };
  for (int number = 0; number < 300; ++number) build(number);
  BOOST_TEST(device.built == 300);
  build(299);
  BOOST_TEST(device.built == 300);
  build(0);
  BOOST_TEST(device.built == 301);
}

BOOST_AUTO_TEST_SUITE_END()
