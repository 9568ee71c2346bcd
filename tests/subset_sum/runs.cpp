/// \file
/// What ends a run early, and devices that fail.
#include <clopt/clopt.hpp>
#include <device/solver_devices.hpp>
#include <support/device.hpp>
#include <support/failing_device.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace {

using namespace clopt;

}  // namespace

BOOST_AUTO_TEST_SUITE(subset_sum_runs, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(a_callback_that_returns_false_ends_every_method) {
  // Even weights and an odd capacity: nothing but the whole search decides it, and it takes every method a while.
  subset_sum::Instance instance;
  for (std::uint64_t i = 0; i < 100; ++i) instance.weights.push_back(2 * (10'000 - 31 * i - i * i % 50));
  instance.capacity = 300'001;
  // Where no sweep fits: only lists hold these.
  subset_sum::Instance huge;
  for (std::uint64_t i = 0; i < 52; ++i) huge.weights.push_back((std::uint64_t{1} << 40) + i * i * i * 2'000'002);
  huge.capacity = (std::uint64_t{1} << 45) + 1;
  for (const auto& method : choices_of<subset_sum::Options>("method")) {
    subset_sum::Options options;
    options.method = method;
    options.reduce = false;
    int calls = 0;
    RunControl control;
    control.progress_interval = 0;
    control.progress = [&](const Progress& progress) {
      BOOST_TEST(progress.best.has_value());
      ++calls;
      return false;
    };
    BOOST_TEST_CONTEXT(method) {
      const bool by_lists = method == "meet-in-the-middle" || method == "auto";
      const auto& problem = by_lists ? huge : instance;
      const auto result = subset_sum::solve(problem, options, test::device(), control);
      BOOST_TEST(calls == 1);
      BOOST_TEST((result.ending == Ending::interrupted));
      BOOST_TEST(!result.optimal);
      BOOST_TEST(result.launches <= 1U);
      BOOST_TEST(subset_sum::check(problem, result).empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_callback_that_returns_false_ends_the_walk_back_too) {
  const auto instance = subset_sum::make_instance("half-small:30", 1);
  for (const char* method : {"k1", "k2", "k3-32"}) {
    subset_sum::Options options;
    options.method = method;
    options.recovery = "table";
    options.reduce = false;
    RunControl control;
    control.progress_interval = 0;
    double best = 0;
    control.progress = [&](const Progress& progress) {
      best = progress.best.value_or(0);
      return progress.phase != "recovery";
    };
    const auto result = subset_sum::solve(instance, options, test::device(), control);
    BOOST_TEST((result.ending == Ending::interrupted));
    BOOST_TEST(!result.optimal);
    // The optimum is known by then, and no subset.
    BOOST_TEST(best == static_cast<double>(subset_sum::solve(instance, options, test::device()).value));
    BOOST_TEST(subset_sum::check(instance, result).empty());
  }
}

BOOST_AUTO_TEST_CASE(the_next_device_begins_anew_where_one_fails) {
  const auto instance = subset_sum::make_instance("half-small:40", 2);
  subset_sum::Options options;
  options.method = "k1";
  options.reduce = false;
  const auto expected = subset_sum::solve(instance, options, test::device());
  BOOST_TEST(expected.failures.empty());
  const auto sound = non_owning(test::device());
  for (const int launches : {test::FailingDevice::from_the_start, 0, 7}) {
    const std::vector<std::shared_ptr<Device>> devices{std::make_shared<test::FailingDevice>(launches), sound};
    const auto result = subset_sum::solve(instance, options, devices);
    BOOST_TEST(result.checksum == expected.checksum);
    BOOST_TEST((result.ending == Ending::complete));
    BOOST_REQUIRE(result.failures.size() == 1U);
    BOOST_TEST(result.failures.front().starts_with(devices.front()->info().id));
  }
  // A second device is not asked where the first works.
  const std::vector<std::shared_ptr<Device>> second{sound, std::make_shared<test::FailingDevice>(0)};
  BOOST_TEST(subset_sum::solve(instance, options, second).failures.empty());
  const std::vector<std::shared_ptr<Device>> failing{std::make_shared<test::FailingDevice>(0),
                                                     std::make_shared<test::FailingDevice>(1)};
  BOOST_CHECK_THROW(subset_sum::solve(instance, options, failing), DeviceError);
  BOOST_CHECK_THROW(subset_sum::solve(instance, options, std::vector<std::shared_ptr<Device>>{}), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
