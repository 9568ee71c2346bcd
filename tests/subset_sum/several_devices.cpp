/// \file
/// Meet in the middle on several devices of this process has the answer of one.
#include <clopt/clopt.hpp>
#include <clopt/subset_sum.hpp>
#include <device/solver_devices.hpp>
#include <support/device.hpp>
#include <support/failing_device.hpp>

#include <boost/test/unit_test.hpp>

#include <memory>
#include <vector>

namespace {

using namespace clopt;
using Members = std::vector<std::shared_ptr<Device>>;

std::shared_ptr<Device> host(unsigned threads) {
  return open_device("openmp:0", {.threads = threads, .self_test = false});
}

subset_sum::Result solve_on(const Members& devices, std::uint64_t seed) {
  subset_sum::Options options;
  options.method = "meet-in-the-middle";
  return subset_sum::solve(subset_sum::make_instance("random:44:1e14", seed), options, devices);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(subset_sum_several_devices)

BOOST_AUTO_TEST_CASE(parts_are_shared_out, *boost::unit_test::label("device")) {
  const Members devices{host(1), host(2), non_owning(test::device())};
  for (const std::uint64_t seed : {1U, 2U}) {
    const auto expected = solve_on({devices.front()}, seed);
    BOOST_TEST(expected.devices.empty());
    const auto result = solve_on(devices, seed);
    BOOST_TEST(result.checksum == expected.checksum);
    BOOST_TEST(result.value == expected.value);
    BOOST_TEST(result.optimal == expected.optimal);
    BOOST_TEST(result.devices.size() == 3U);
  }
}

BOOST_AUTO_TEST_CASE(others_take_the_parts_of_one_that_fails) {
  const auto expected = solve_on({host(1)}, 3);
  for (const int launches : {test::FailingDevice::from_the_start, 0, 2})
    for (const std::size_t place : {0U, 1U})
      BOOST_TEST_CONTEXT("device " << place << " fails after " << launches << " launches") {
        Members devices{host(1)};
        devices.insert(devices.begin() + static_cast<std::ptrdiff_t>(place),
                       std::make_shared<test::FailingDevice>(launches));
        const auto result = solve_on(devices, 3);
        BOOST_TEST(result.checksum == expected.checksum);
        BOOST_TEST(result.optimal);
      }
  const Members failing{std::make_shared<test::FailingDevice>(0), std::make_shared<test::FailingDevice>(1)};
  BOOST_CHECK_THROW(solve_on(failing, 3), DeviceError);
}

BOOST_AUTO_TEST_SUITE_END()
