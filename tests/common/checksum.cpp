/// \file
/// Checksums of states of more than a block are those of the blocks' checksums, however they are given.
#include <support/numbers/checksum.hpp>

#include <boost/test/unit_test.hpp>

#include <random>
#include <vector>

namespace {

using clopt::Checksum;

constexpr std::size_t block = Checksum::block_bytes;

std::vector<std::uint8_t> random_bytes(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> bytes(count);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

/// By definition.
std::uint64_t checksum_of(const std::vector<std::uint8_t>& bytes) {
  if (bytes.size() <= block) return XXH3_64bits(bytes.data(), bytes.size());
  std::vector<std::uint8_t> digests;
  for (std::size_t first = 0; first < bytes.size(); first += block) {
    const auto digest = XXH3_64bits(bytes.data() + first, std::min(block, bytes.size() - first));
    for (int i = 0; i < 8; ++i) digests.push_back(static_cast<std::uint8_t>(digest >> 8 * i));
  }
  return XXH3_64bits(digests.data(), digests.size());
}

BOOST_AUTO_TEST_SUITE(checksums)

BOOST_AUTO_TEST_CASE(known_answers) {
  BOOST_TEST(Checksum().value() == 0x2d06'8005'38d3'94c2U);  // XXH3's of nothing
  Checksum checksum;
  checksum.add(std::uint32_t{0x0403'0201});
  BOOST_TEST(checksum.value() == checksum_of({1, 2, 3, 4}));
}

BOOST_AUTO_TEST_CASE(blocks_of_any_length_however_they_are_given) {
  std::mt19937 random(5);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, block - 1, block, block + 1, 2 * block, 2 * block + 7,
                                 5 * block - 1, 5 * block}) {
    BOOST_TEST_CONTEXT("seed 5, " << size << " bytes") {
      const auto bytes = random_bytes(size, size);
      const auto right = checksum_of(bytes);
      Checksum at_once, by_threads(3), in_parts(2);
      at_once.add(std::span<const std::uint8_t>(bytes));
      by_threads.add(std::span<const std::uint8_t>(bytes));
      for (std::span<const std::uint8_t> left(bytes); !left.empty();) {
        const auto part = left.first(std::min<std::size_t>(left.size(), 1 + random() % (4 * block)));
        in_parts.add(part);
        left = left.subspan(part.size());
      }
      BOOST_TEST(at_once.value() == right);
      BOOST_TEST(by_threads.value() == right);
      BOOST_TEST(in_parts.value() == right);
      BOOST_TEST(in_parts.value() == right);
    }
  }
}

BOOST_AUTO_TEST_CASE(blocks_that_others_have_hashed) {
  const auto bytes = random_bytes(3 * block + 7, 1);
  std::vector<std::uint64_t> hashes;
  for (std::size_t first = 0; first < 3 * block; first += block)
    hashes.push_back(XXH3_64bits(bytes.data() + first, block));
  Checksum checksum;
  checksum.add_blocks(hashes);
  checksum.add(std::span<const std::uint8_t>(bytes).subspan(3 * block));
  BOOST_TEST(checksum.value() == checksum_of(bytes));
  BOOST_CHECK_THROW(checksum.add_blocks(hashes), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
