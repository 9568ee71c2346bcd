/// \file
/// Memory of the host that a queue's transfers use lives as long as they may.
#include <clopt/error.hpp>
#include <support/late_device.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

using clopt::DeviceError;
using clopt::HostArray;
using clopt::test::LateDevice;

namespace {

std::vector<std::uint32_t> ascending(std::size_t count) {
  std::vector<std::uint32_t> list(count);
  std::iota(list.begin(), list.end(), 1U);
  return list;
}

// Of the size that is moved in one piece, and of several.
const std::vector<std::size_t> sizes{1, 7, 1'000, 1'200'007};

}  // namespace

// These open a device in this process; the registry's cases begin processes that have not looked for any.
BOOST_AUTO_TEST_SUITE(late_queues, *boost::unit_test::depends_on("registry"))

BOOST_AUTO_TEST_CASE(transfers_carry_what_they_were_given) {
  LateDevice device;
  const auto queue = device.queue();
  for (const auto size : sizes) {
    const auto buffer = device.buffer<std::uint32_t>("numbers", size);
    const auto expected = ascending(size);
    std::vector<std::uint32_t> found(size);
    {
      auto given = expected;
      queue->write_later(buffer, given);
      given.assign(size, 0);
    }
    queue->read(buffer, found);
    BOOST_TEST((found == expected));
    queue->fill(buffer, 0);
    queue->write(buffer, expected);
    BOOST_TEST((queue->read_all(buffer) == expected));
    queue->fill(buffer, 0);
    queue->write(buffer, HostArray(ascending(size)));
    HostArray<std::uint32_t> later(size);
    const auto read = queue->read_later(buffer, later);
    BOOST_TEST(later[size - 1] == 0U);
    read.wait();
    BOOST_TEST((later.take() == expected));
  }
}

BOOST_AUTO_TEST_CASE(arrays_are_kept_until_their_transfers_are_done) {
  LateDevice device;
  const auto queue = device.queue();
  const auto buffer = device.buffer<std::uint32_t>("numbers", 7);
  for (const bool waits : {false, true}) {
    HostArray array(ascending(7));
    const std::weak_ptr<const void> memory = array.owner();
    const auto written = queue->write_later(buffer, array);
    array = {};
    BOOST_TEST(!memory.expired());
    if (waits) {
      // Another transfer that is waited for came after it.
      std::vector<std::uint32_t> found(7);
      queue->read(buffer, found);
      BOOST_TEST((found == ascending(7)));
    } else {
      queue->finish();
    }
    BOOST_TEST(memory.expired());
  }
}

// The queue does not collect transfers that are never waited for.
BOOST_AUTO_TEST_CASE(arrays_of_many_transfers_go) {
  LateDevice device;
  const auto queue = device.queue();
  const auto buffer = device.buffer<std::uint32_t>("numbers", 7);
  std::vector<std::weak_ptr<const void>> memory;
  for (int i = 0; i < 5'000; ++i) {
    HostArray array(ascending(7));
    memory.push_back(array.owner());
    queue->write_later(buffer, array);
  }
  BOOST_TEST(std::count_if(memory.begin(), memory.end(), [](const auto& one) { return !one.expired(); }) < 1'500);
}

// Where the device is lost, nothing that it may still use is freed, not even when the queue goes.
BOOST_AUTO_TEST_CASE(arrays_of_a_lost_device_stay) {
  for (const std::uint64_t failing_call : {4U, 5U}) {
    LateDevice device(failing_call, true);
    std::weak_ptr<const void> written, read;
    {
      auto queue = device.queue();
      const auto buffer = device.buffer<std::uint32_t>("numbers", 7);
      HostArray from(ascending(7));
      written = from.owner();
      queue->write_later(buffer, from);
      HostArray<std::uint32_t> to(7);
      read = to.owner();
      BOOST_CHECK_THROW(
          {
            queue->read_later(buffer, to).wait();
            queue->finish();
          },
          DeviceError);
    }
    BOOST_TEST(!written.expired());
    BOOST_TEST(!read.expired());
    device.catch_up();
  }
}

// A read that fails leaves the place that it was to go to alone.
BOOST_AUTO_TEST_CASE(a_failed_read_never_writes) {
  for (const std::uint64_t failing_call : {4U, 5U}) {
    LateDevice device(failing_call, true);
    const auto queue = device.queue();
    const auto buffer = device.buffer<std::uint32_t>("numbers", 7);
    queue->write_later(buffer, ascending(7));
    std::vector<std::uint32_t> found(7);
    BOOST_CHECK_THROW(queue->read(buffer, found), DeviceError);
    device.catch_up();
    BOOST_TEST(found == std::vector<std::uint32_t>(7), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_SUITE_END()
