/// \file
/// Runs on a device that does its work late and of whose calls one fails.
#pragma once

#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <support/late_device.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace clopt::test {

using SharedDevices = std::vector<std::shared_ptr<Device>>;

/// How many calls of a run fail, each in runs of its own: CLOPT_TEST_CALLS says it.
inline std::uint64_t calls_that_fail() {
  constexpr std::uint64_t usual = 20;
  const char* text = std::getenv("CLOPT_TEST_CALLS");
  return text ? std::strtoull(text, nullptr, 10) : usual;
}

/// Lets each of up to \p most calls of a run fail, alone or with all that follow. The run ends by an error that says
/// so, or right; with a second device it ends right. What the device does after that touches nothing that is gone.
/// \param solve gets devices, and gives the checksum.
template <class Solve>
void fail_everywhere(const Solve& solve, std::uint64_t most = calls_that_fail()) {
  const auto sound = open_device("openmp:0", {.threads = 1, .force = false, .self_test = false});
  const auto expected = solve(SharedDevices{sound});
  const auto late = std::make_shared<LateDevice>();
  BOOST_REQUIRE(solve(SharedDevices{late}) == expected);
  const auto calls = late->calls();
  BOOST_TEST_REQUIRE(calls > 10U);
  std::uint64_t thrown = 0;
  const auto step = std::max<std::uint64_t>(1, calls / most);
  for (std::uint64_t call = 1; call <= calls; call += step)
    for (const bool stays_lost : {false, true})
      BOOST_TEST_CONTEXT("call " << call << " of " << calls << (stays_lost ? " and all that follow" : "")) {
        const auto alone = std::make_shared<LateDevice>(call, stays_lost);
        try {
          BOOST_TEST(solve(SharedDevices{alone}) == expected);
        } catch (const DeviceError& error) {
          ++thrown;
          BOOST_TEST(std::string(error.what()).find("the device is gone") != std::string::npos, error.what());
        }
        alone->catch_up();
        const auto helped = std::make_shared<LateDevice>(call, stays_lost);
        BOOST_CHECK_NO_THROW(BOOST_TEST(solve(SharedDevices{helped, sound}) == expected));
        helped->catch_up();
        const auto helper = std::make_shared<LateDevice>(call, stays_lost);
        BOOST_CHECK_NO_THROW(BOOST_TEST(solve(SharedDevices{sound, helper}) == expected));
        helper->catch_up();
      }
  BOOST_TEST(thrown > calls / step);
}

}  // namespace clopt::test
