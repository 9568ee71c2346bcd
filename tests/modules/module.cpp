// Modules that are wrong in one way each, and one with devices of many names: built once with each of the words below
// as CLOPT_TEST_MODULE.
#include <clopt/backend.hpp>
#include <clopt/detail/probe.hpp>
#include <clopt/error.hpp>

#include <sys/stat.h>

#include <cstdlib>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#define no_entry 0
#define no_table 1
#define old_version 2
#define no_name 3
#define no_create 4
#define throws 5
#define throws_a_number 6
#define makes_nothing 7
#define devices_throw 8
#define many 9
#define open_throws 10
#define false_openmp 11
#define aborting 12
#define talkative 13

namespace {

/// A queue that takes no work.
class Idle : public clopt::Queue {
 public:
  clopt::Event record() override { return {}; }
  void wait_for(const clopt::Event&) override {}
  void flush() override {}
  void do_finish() override {}

 protected:
  clopt::Event do_write(clopt::Memory&, std::size_t, const void*, std::size_t) override { return {}; }
  clopt::Event do_read(clopt::Memory&, std::size_t, void*, std::size_t) override { return {}; }
  clopt::Event do_fill(clopt::Memory&, std::size_t, std::size_t, const void*, std::size_t) override { return {}; }
  clopt::Event do_copy(clopt::Memory&, std::size_t, clopt::Memory&, std::size_t, std::size_t) override { return {}; }
  clopt::Event do_launch(clopt::KernelBase&, const clopt::Range&, std::span<const clopt::Argument>) override {
    return {};
  }
};

/// A device that is only looked at.
class Shown : public clopt::Device {
 public:
  explicit Shown(const clopt::DeviceInfo& description) { info_ = description; }

 protected:
  std::unique_ptr<clopt::Queue> do_queue(const clopt::QueueOptions&) override {
    if (CLOPT_TEST_MODULE == aborting) return std::make_unique<Idle>();
    throw clopt::DeviceError("no queue");
  }
  std::shared_ptr<clopt::Memory> do_allocate(const std::string&, std::size_t, clopt::MemoryKind) override {
    if (CLOPT_TEST_MODULE == aborting) return std::make_shared<clopt::Memory>("nothing", 0);
    throw clopt::OutOfMemory("no memory");
  }
  std::shared_ptr<clopt::KernelBase> do_kernel(const clopt::OperationInfo&, const clopt::Program&) override {
    if (CLOPT_TEST_MODULE == aborting) std::abort();
    throw clopt::BuildError("no kernels");
  }
};

class TestBackend : public clopt::Backend {
 public:
  std::vector<clopt::DeviceInfo> devices(std::vector<clopt::Unavailable>& left_out) override {
#if CLOPT_TEST_MODULE == devices_throw
    throw clopt::DeviceError("the driver is in a bad mood");
#endif
    if (CLOPT_TEST_MODULE == false_openmp) return {};
    left_out.push_back({"many", "Delta is switched off"});
    std::vector<clopt::DeviceInfo> list(3);
    list[0].name = "Alpha One";
    list[1].name = "Alpha Two";
    list[2].name = "Beta";
    for (auto& device : list) {
      device.platform = "Greek Letters";
      device.global_memory_bytes = device.max_allocation_bytes = std::uint64_t{1} << 30;
    }
    list[2].platform = "Alpha Centauri 8128";
    return list;
  }
  std::shared_ptr<clopt::Device> open(std::size_t, const clopt::DeviceInfo& description,
                                      const clopt::DeviceOptions&) override {
    if (CLOPT_TEST_MODULE == open_throws) throw std::runtime_error("the driver exploded");
    return std::make_shared<Shown>(description);
  }
};

[[maybe_unused]] std::unique_ptr<clopt::Backend> create() {
#if CLOPT_TEST_MODULE == throws
  throw clopt::NoDevice("there is no driver here");
#elif CLOPT_TEST_MODULE == throws_a_number
  throw 42;
#elif CLOPT_TEST_MODULE == makes_nothing
  return nullptr;
#else
  return std::make_unique<TestBackend>();
#endif
}

// Reports steps of many lengths by threads at the same time, and answers how many bytes of them are there.
[[maybe_unused]] std::string talk(std::span<const std::string> /*question*/) {
  constexpr int answer_number = 3;  // the library's own, see probe_process.hpp
  struct stat before {};
  ::fstat(answer_number, &before);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < 8; ++k)
    threads.emplace_back([k] {
      for (std::size_t n = 0; n < 100; ++n) clopt::report_probe_step(std::string(1 + k, 'x'));
    });
  for (auto& thread : threads) thread.join();
  struct stat after {};
  ::fstat(answer_number, &after);
  return std::to_string(after.st_size - before.st_size);
}

}  // namespace

#if CLOPT_TEST_MODULE != no_entry
extern "C" const clopt::BackendEntry* clopt_backend() {
#if CLOPT_TEST_MODULE == no_table
  return nullptr;
#else
  static constexpr clopt::BackendEntry entry{
      clopt::backend_interface_version + (CLOPT_TEST_MODULE == old_version ? 7 : 0),
      CLOPT_TEST_MODULE == no_name        ? ""
      : CLOPT_TEST_MODULE == many         ? "many"
      : CLOPT_TEST_MODULE == open_throws  ? "explosive"
      : CLOPT_TEST_MODULE == aborting     ? "aborting"
      : CLOPT_TEST_MODULE == talkative    ? "talkative"
      : CLOPT_TEST_MODULE == false_openmp ? "openmp"
                                          : "wrong",
      CLOPT_TEST_MODULE == no_create ? nullptr : &create, CLOPT_TEST_MODULE == talkative ? &talk : nullptr};
  return &entry;
#endif
}
#endif
