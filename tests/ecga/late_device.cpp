/// \file
/// Runs on a device that does its work late, and fails anywhere.
#include "runs.hpp"

#include <support/late_runs.hpp>
#include <support/lying_device.hpp>

using namespace clopt;

BOOST_AUTO_TEST_SUITE(ecga_late_device)

BOOST_AUTO_TEST_CASE(it_may_fail_anywhere) {
  for (const char* counting : {"popcount", "table"})
    test::fail_everywhere([&](const test::SharedDevices& devices) {
      auto options = test::options_of(600);
      options.counting = counting;
      options.generations = 3;
      options.least_shared = 0;
      options.statistics = [](const ecga::Statistics&) {};
      return ecga::solve(test::problem_of("trap5", 30), options, devices).checksum;
    });
}

// The fitness of the best, and its genes.
BOOST_AUTO_TEST_CASE(a_wrong_best_is_refused) {
  const auto solve = [&](std::span<const std::shared_ptr<Device>> devices) {
    auto options = test::options_of(600);
    options.generations = 3;
    const auto result = ecga::solve(test::problem_of("trap5", 30), options, devices);
    BOOST_TEST(result.unchecked.empty());
    return result.checksum;
  };
  test::refuse_lies("best individual", 0, 30, solve);
}

BOOST_AUTO_TEST_SUITE_END()
