/// \file
/// Launches on the processor whose work another device does.
#include <clopt/clopt.hpp>
#include <clopt/detail/dropped_launches.hpp>
#include <device/self_test.hpp>
#include <support/threads/thread_team.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "moved.hpp"

namespace {

using namespace clopt;

std::optional<std::uint64_t> solve_on(std::span<const std::shared_ptr<Device>> devices, const RunControl& control) {
  genetic::Options options;
  options.population = 4096;
  options.generations = 20;
  try {
    return genetic::solve({Objective::named("onemax"), 333, {}, {}}, options, devices, control).checksum;
  } catch (const LaunchDropped&) {
    return std::nullopt;
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(automatic_dropped)

BOOST_AUTO_TEST_CASE(launches_are_dropped_once_that_is_requested) {
  for (const unsigned threads : {1U, 2U, 7U}) {
    const std::vector devices{open_device("openmp:0", {.threads = threads, .self_test = false})};
    const auto expected = solve_on(devices, {});
    BOOST_REQUIRE(expected);
    std::stop_source stop;
    const auto token = stop.get_token();
    {
      const DroppedLaunches drop(token);
      BOOST_TEST((solve_on(devices, {}) == expected));
      RunControl control;
      control.progress = [&](const Progress&) { return stop.request_stop(), true; };
      BOOST_TEST(!solve_on(devices, control));
      BOOST_TEST(!solve_on(devices, {}));
    }
    // The device is as good as before, and later launches end.
    BOOST_TEST((solve_on(devices, {}) == expected));
  }
}

BOOST_AUTO_TEST_CASE(a_self_test_that_is_dropped_is_no_failure) {
  const auto device = open_device("openmp:0", {.self_test = false});
  std::stop_source stop;
  stop.request_stop();
  const auto token = stop.get_token();
  std::size_t dropped = 0;
  {
    const DroppedLaunches drop(token);
    for (const auto& test : known_answers()) try {
        BOOST_TEST(run_known_answer(test, *device) == "", test.name);
      } catch (const LaunchDropped&) {
        ++dropped;
      }
  }
  BOOST_TEST(dropped > 0U);
  for (const auto& test : known_answers()) BOOST_TEST(run_known_answer(test, *device) == "", test.name);
}

BOOST_AUTO_TEST_CASE(parts_of_a_launch_are_left_out) {
  std::stop_source stop;
  const auto token = stop.get_token();
  ThreadTeam team(3);
  team.leave_out_by(&token);
  std::atomic<int> begun = 0;
  team.run(1000, [&](std::size_t) {
    if (++begun == 10) stop.request_stop();
  });
  BOOST_TEST(begun >= 10);
  BOOST_TEST(begun < 10 + 3);
  team.leave_out_by(nullptr);
  begun = 0;
  team.run(1000, [&](std::size_t) { ++begun; });
  BOOST_TEST(begun == 1000);
}

BOOST_AUTO_TEST_SUITE_END()
