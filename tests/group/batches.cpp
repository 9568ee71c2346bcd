// Batches that devices share: each item is computed once, also where a device fails or is slow.
#include <boost/test/unit_test.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <group/batch_team.hpp>
#include <support/stopwatch.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

using clopt::Device;
using clopt::DeviceError;
using clopt::group::Batch;
using clopt::group::BatchPlace;
using clopt::group::BatchTeam;

namespace {

using Devices = std::vector<std::shared_ptr<Device>>;
using Step = std::function<void(const Batch& batch)>;

Devices devices_of(std::size_t count) {
  Devices devices;
  for (std::size_t n = 0; n < count; ++n)
    devices.push_back(clopt::open_device("openmp:0", {.threads = static_cast<unsigned>(n + 1), .self_test = false}));
  return devices;
}

/// Counts the items that it finishes.
class CountingPlace : public BatchPlace {
 public:
  CountingPlace(std::vector<std::atomic<int>>& counts, Step begin) : counts_(counts), begin_(std::move(begin)) {}
  void begin(const Batch& batch) override {
    if (begin_) begin_(batch);
  }
  void finish(const Batch& batch) override {
    for (auto item = batch.first; item < batch.first + batch.count; ++item) ++counts_[item];
  }

 private:
  std::vector<std::atomic<int>>& counts_;
  Step begin_;
};

/// The places of a device, two as a rule.
BatchTeam::Places places_of(std::vector<std::atomic<int>>& counts, const Step& begin = {}, std::size_t places = 2) {
  BatchTeam::Places made;
  for (std::size_t n = 0; n < places; ++n) made.push_back(std::make_unique<CountingPlace>(counts, begin));
  return made;
}

void require_each_once(const std::vector<std::atomic<int>>& counts) {
  for (const auto& count : counts) BOOST_TEST(count == 1);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(group_batches)

BOOST_AUTO_TEST_CASE(each_item_is_computed_once) {
  for (const std::size_t members : {1U, 2U, 3U})
    for (const std::uint64_t items : {1U, 7U, 49U, 1000U})
      for (const std::uint64_t most : {1U, 7U, 2000U}) {
        std::vector<std::atomic<int>> counts(items);
        const auto devices = devices_of(members);
        BatchTeam team(devices, [&](std::size_t) { return places_of(counts); });
        team.run(items, most);
        require_each_once(counts);
        const auto parts = team.parts();
        double share = 0;
        for (const auto& part : parts) share += part.share;
        BOOST_TEST(parts.size() == members);
        BOOST_TEST(share == 1, boost::test_tools::tolerance(1e-12));
      }
}

BOOST_AUTO_TEST_CASE(others_compute_what_a_device_leaves) {
  for (const std::size_t failing : {0U, 1U, 2U})
    for (const int after : {-1, 0, 1, 3}) {
      std::vector<std::atomic<int>> counts(100);
      std::atomic<int> begun = 0;
      const auto devices = devices_of(3);
      BatchTeam team(devices, [&](std::size_t number) {
        if (number != failing) return places_of(counts);
        if (after < 0) throw DeviceError("it cannot begin");
        return places_of(counts, [&](const Batch&) {
          if (begun++ == after) throw DeviceError("it is gone");
        });
      });
      team.run(100, 3);
      require_each_once(counts);
      const bool has_failed = after < 0 || begun > after;
      BOOST_TEST(team.failures().size() == (has_failed ? 1U : 0U));
      BOOST_TEST(team.parts()[failing].failures.size() == (has_failed ? 1U : 0U));
    }
}

BOOST_AUTO_TEST_CASE(it_ends_where_all_fail_and_where_no_device_is_at_fault) {
  const auto devices = devices_of(2);
  std::vector<std::atomic<int>> counts(10);
  const auto fails = [](const Batch&) { throw DeviceError("it is gone"); };
  BatchTeam failing(devices, [&](std::size_t) { return places_of(counts, fails); });
  BOOST_CHECK_THROW(failing.run(10, 1), DeviceError);
  BOOST_CHECK_THROW(BatchTeam(devices, [](std::size_t) -> BatchTeam::Places { throw DeviceError("it is not there"); }),
                    DeviceError);
  const auto stops = [](const Batch&) { throw clopt::Cancelled("it is stopped"); };
  BatchTeam stopped(devices, [&](std::size_t) { return places_of(counts, stops); });
  BOOST_CHECK_THROW(stopped.run(10, 1), clopt::Cancelled);
}

// It knows how slow it is once it has computed some: here as long as the other one took for seven batches, twice.
BOOST_AUTO_TEST_CASE(a_slow_device_takes_no_batch_that_the_others_wait_for) {
  const auto devices = devices_of(2);
  std::vector<std::atomic<int>> counts(64);
  std::atomic<int> quick = 0;
  std::atomic<int> slow = 0;
  const clopt::Stopwatch since_begin;
  const auto wait_for = [](const auto& condition) {
    while (!condition()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  const auto compute_slowly = [&](const Batch&) {
    ++slow;
    wait_for([&] { return quick == 7; });
    std::this_thread::sleep_for(std::chrono::duration<double>(2 * since_begin.seconds()));
  };
  const auto compute = [&](const Batch&) {
    wait_for([&] { return slow != 0; });
    ++quick;
  };
  BatchTeam team(
      devices, [&](std::size_t number) { return places_of(counts, number == 0 ? Step(compute) : compute_slowly, 1); });
  team.run(64, 8);
  require_each_once(counts);
  BOOST_TEST(slow == 1);
  for (auto& count : counts) count = 0;
  team.run(64, 8);
  require_each_once(counts);
  BOOST_TEST(slow == 1);
  BOOST_TEST(quick == 15);
}

BOOST_AUTO_TEST_SUITE_END()
