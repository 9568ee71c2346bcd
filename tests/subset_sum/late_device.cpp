/// \file
/// Runs on a device that does its work late, and fails anywhere.
#include <clopt/subset_sum.hpp>
#include <subset_sum/meet/four_lists.hpp>
#include <support/late_runs.hpp>
#include <support/lying_device.hpp>

using namespace clopt;

BOOST_AUTO_TEST_SUITE(subset_sum_late_device)

BOOST_AUTO_TEST_CASE(it_may_fail_anywhere, *boost::unit_test::label("long")) {
  for (const char* method : {"k1", "k2", "k3-32", "sparse"})
    for (const char* recovery : {"table", "checkpoints", "host"})
      test::fail_everywhere(
          [&](const test::SharedDevices& devices) {
            subset_sum::Options options;
            options.method = method;
            options.recovery = recovery;
            options.reduce = false;
            return subset_sum::solve(subset_sum::make_instance("half-small:30", 2), options, devices).checksum;
          },
          40);
}

// Nothing else shows that a sweep lacks what a launch would have reached.
BOOST_AUTO_TEST_CASE(a_lost_launch_is_noticed) {
  for (const char* method : {"k1", "k2", "k3-32", "sparse"})
    for (const char* recovery : {"table", "checkpoints", "host"}) BOOST_TEST_CONTEXT(method << " with " << recovery) {
        subset_sum::Options options;
        options.method = method;
        options.recovery = recovery;
        options.reduce = false;
        test::LyingDevice device(test::Lie{"launches that were made", 0});
        BOOST_CHECK_THROW(subset_sum::solve(subset_sum::make_instance("half-small:30", 2), options, device),
                          DeviceError);
        BOOST_TEST(device.lie().reported == 1);
      }
}

// Meet in the middle uses a device only where its lists are long: so they are cut by hand.
BOOST_AUTO_TEST_CASE(four_lists_may_fail_anywhere) {
  subset_sum::ReducedProblem reduced;
  for (std::uint64_t i = 0; i < 20; ++i) reduced.weights.push_back(1'000'003 - 4'001 * i - i * i * i % 977);
  reduced.low = 7'600'000;
  reduced.high = 7'654'321;
  const RunControl no_limits;
  test::fail_everywhere([&](const test::SharedDevices& devices) {
    const auto solve_on = [&](Device& device) {
      auto shape = subset_sum::four_lists_shape(device);
      shape.outer_items = 4;
      shape.ranges = 7;
      shape.sums_a_slice = 64;
      std::uint64_t chosen = 0;
      for (const auto position : subset_sum::four_lists(reduced, device, Watch(no_limits), shape).positions)
        chosen |= std::uint64_t{1} << position;
      return chosen;
    };
    for (std::size_t i = 0;; ++i) try {
        return solve_on(*devices[i]);
      } catch (const DeviceError&) {
        if (i + 1 == devices.size()) throw;
      }
  });
}

BOOST_AUTO_TEST_SUITE_END()
