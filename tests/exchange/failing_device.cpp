/// \file
/// Devices that fail while individuals are evaluated: the others finish the work, with the same result.
#include "networks.hpp"

#include <clopt/clopt.hpp>
#include <exchange/fitness.hpp>
#include <support/failing_device.hpp>

#include <boost/test/unit_test.hpp>

namespace {

using namespace clopt;
using namespace clopt::exchange;

Result run(const std::vector<std::shared_ptr<Device>>& devices) {
  Options options;
  options.optimizer = "umda";
  options.population = 50;
  options.generations = 9;
  return solve(test::complete_exchange("mesh:3x3"), options, devices);
}

BOOST_AUTO_TEST_SUITE(failing_devices)

BOOST_AUTO_TEST_CASE(others_finish_what_a_device_gives_back) {
  const auto whole = open_device("openmp:0");
  const auto reference = run({whole});
  for (const int launches : {0, 1, 2, 7})
    for (const bool first : {true, false}) {
      const auto failing = std::make_shared<test::FailingDevice>(launches);
      const auto found = first ? run({failing, whole}) : run({whole, failing, whole});
      BOOST_TEST(found.checksum == reference.checksum, launches << " launches");
      BOOST_TEST(found.generations == 9U);
    }
}

BOOST_AUTO_TEST_CASE(the_last_device_s_failure_is_told) {
  const std::vector<std::shared_ptr<Device>> devices{std::make_shared<test::FailingDevice>(3),
                                                     std::make_shared<test::FailingDevice>(1)};
  BOOST_CHECK_EXCEPTION(run(devices), DeviceError,
                        [](const auto& error) { return std::string(error.what()) == "the device is gone"; });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
