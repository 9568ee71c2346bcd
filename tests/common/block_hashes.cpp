/// \file
/// What a device makes of a buffer's blocks is what the host makes of its bytes.
#include <clopt/device.hpp>
#include <device/transfer/block_hashes.hpp>
#include <support/device.hpp>
#include <support/lying_device.hpp>
#include <support/numbers/checksum.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

namespace {

using clopt::Checksum;
using clopt::test::device;

template <class Number>
void check(std::size_t size) {
  constexpr int seed = 7;
  BOOST_TEST_CONTEXT("seed " << seed << ", " << size << " numbers of " << sizeof(Number) << " bytes") {
    std::mt19937_64 random(seed);
    std::vector<Number> numbers(size);
    for (auto& number : numbers) number = static_cast<Number>(random());
    const auto queue = device().queue();
    const auto buffer = device().buffer<Number>("numbers", size);
    if (size != 0) queue->write(buffer, numbers);
    Checksum by_device, by_host;
    const clopt::BlockHashes hashes(device(), size * sizeof(Number));
    BOOST_TEST_REQUIRE(hashes.is_able());
    hashes.add(*queue, buffer, by_device);
    by_host.add(std::span<const Number>(numbers));
    // More may follow.
    by_device.add(std::uint32_t{49});
    by_host.add(std::uint32_t{49});
    BOOST_TEST(by_device.value() == by_host.value());
  }
}

BOOST_AUTO_TEST_SUITE(block_hashes, *boost::unit_test::label("device") * boost::unit_test::label("oclgrind"))

BOOST_AUTO_TEST_CASE(are_the_hosts) {
  constexpr auto block = Checksum::block_bytes;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{7}, block / 4, block / 4 + 49})
    check<std::uint32_t>(size);
  if (clopt::test::platform() == "oclgrind") return;
  for (const auto blocks : {1, 3, 7, 8, 9, 17})
    for (const auto more : {-1, 0, 1}) {
      check<std::uint32_t>(static_cast<std::size_t>(blocks) * block / 4 + static_cast<std::size_t>(more));
      check<std::uint8_t>(static_cast<std::size_t>(blocks) * block + static_cast<std::size_t>(more));
      check<float>(static_cast<std::size_t>(blocks) * block / 4 + static_cast<std::size_t>(more));
      check<std::uint64_t>(static_cast<std::size_t>(blocks) * block / 8 + static_cast<std::size_t>(more));
    }
}

// The last block is hashed by the host, too.
BOOST_AUTO_TEST_CASE(a_wrong_one_is_refused) {
  const auto checksum_on = [](std::span<const std::shared_ptr<clopt::Device>> devices) {
    for (std::size_t n = 0;; ++n) try {
        auto& device = *devices[n];
        const auto queue = device.queue();
        const auto size = 2 * Checksum::block_bytes / 4 + 7;
        const auto buffer = device.buffer<std::uint32_t>("numbers", size);
        queue->write(buffer, std::vector<std::uint32_t>(size, 49));
        Checksum checksum;
        clopt::BlockHashes(device, size * 4).add(*queue, buffer, checksum);
        return checksum.value();
      } catch (const clopt::DeviceError&) {
        if (n + 1 == devices.size()) throw;
      }
  };
  clopt::test::refuse_lies("checksums of blocks", 64, 64, checksum_on);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
