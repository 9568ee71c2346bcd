/// \file
/// Runs on a device that does its work late, and fails anywhere.
#include "runs.hpp"

#include <support/late_runs.hpp>
#include <support/lying_device.hpp>

#include <memory>
#include <stdexcept>
#include <stop_token>

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

// The next model is begun before it is known whether there is one.
BOOST_AUTO_TEST_CASE(a_run_may_end_while_its_next_model_is_under_way) {
  const auto problem = test::problem_of("trap5", 30);
  const auto sound = open_device("openmp:0", {.threads = 1, .force = false, .self_test = false});
  const auto compare = [&](const char* name, const auto& solve) {
    BOOST_TEST_CONTEXT(name) {
      const auto expected = solve(test::SharedDevices{sound});
      const auto late = std::make_shared<test::LateDevice>();
      const auto result = solve(test::SharedDevices{late});
      BOOST_TEST(result.checksum == expected.checksum);
      BOOST_TEST(result.generations == expected.generations);
      BOOST_TEST(result.passes == expected.passes);
      BOOST_TEST(result.generations > 1U);
      late->catch_up();
    }
  };
  compare("target", [&](const test::SharedDevices& devices) {
    auto options = test::options_of(900);
    options.target = 30;
    return ecga::solve(problem, options, devices);
  });
  compare("stagnation", [&](const test::SharedDevices& devices) {
    auto options = test::options_of(600);
    options.stagnation = 1;
    return ecga::solve(problem, options, devices);
  });
  compare("stop", [&](const test::SharedDevices& devices) {
    std::stop_source stop;
    auto options = test::options_of(600);
    options.statistics = [&](const ecga::Statistics& now) {
      if (now.generation == 3) stop.request_stop();
    };
    return ecga::solve(problem, options, devices, {.stop = stop.get_token()});
  });
  const auto late = std::make_shared<test::LateDevice>();
  auto options = test::options_of(600);
  options.statistics = [&](const ecga::Statistics& now) {
    if (now.generation == 3) throw std::runtime_error("enough");
  };
  BOOST_CHECK_THROW(ecga::solve(problem, options, test::SharedDevices{late}), std::runtime_error);
  late->catch_up();
}

BOOST_AUTO_TEST_SUITE_END()
