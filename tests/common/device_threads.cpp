/// \file
/// Threads of devices: each device's part is done once, by the same thread each time, and errors come back.
#include <device/device_threads.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using clopt::DeviceThreads;

BOOST_AUTO_TEST_SUITE(device_threads)

BOOST_AUTO_TEST_CASE(each_device_has_its_thread) {
  for (const std::size_t devices : {0U, 1U, 2U, 7U}) {
    DeviceThreads threads(devices);
    std::vector<std::thread::id> ids(devices);
    for (int round = 0; round < 100; ++round) {
      std::vector<int> done(devices, 0);
      threads.run([&](std::size_t device) {
        ++done[device];
        if (round == 0) ids[device] = std::this_thread::get_id();
        if (ids[device] != std::this_thread::get_id()) done[device] = -1;
      });
      for (const int each : done) BOOST_TEST(each == 1);
    }
    for (std::size_t i = 0; i < devices; ++i) {
      BOOST_TEST((ids[i] == std::this_thread::get_id()) == (i == 0));
      for (std::size_t j = 0; j < i; ++j) BOOST_TEST((ids[i] != ids[j]));
    }
  }
}

// All have ended by then, and the threads are as good as before.
BOOST_AUTO_TEST_CASE(the_first_error_is_thrown) {
  DeviceThreads threads(4);
  for (std::size_t first = 0; first < 4; ++first) {
    std::atomic<int> done{0};
    const auto work = [&](std::size_t device) {
      ++done;
      if (device >= first) throw std::runtime_error(std::to_string(device));
    };
    BOOST_CHECK_EXCEPTION(threads.run(work), std::runtime_error,
                          [&](const auto& error) { return error.what() == std::to_string(first); });
    BOOST_TEST(done.load() == 4);
    threads.run([&](std::size_t) { ++done; });
    BOOST_TEST(done.load() == 8);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
