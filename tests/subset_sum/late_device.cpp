/// \file
/// Runs on a device that does its work late, and fails anywhere.
#include <clopt/subset_sum.hpp>
#include <support/late_runs.hpp>

using namespace clopt;

BOOST_AUTO_TEST_SUITE(subset_sum_late_device)

BOOST_AUTO_TEST_CASE(it_may_fail_anywhere) {
  for (const char* method : {"k1", "k3-32", "meet-in-the-middle"})
    for (const char* recovery : {"table", "checkpoints"})
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

BOOST_AUTO_TEST_SUITE_END()
