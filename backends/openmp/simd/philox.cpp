#include "philox.hpp"

#include <type_traits>

namespace clopt::openmp {
namespace {

// `Z` is uint32_t where z is the same for all, else const uint32_t*.
template <class Z>
constexpr bool same_z = std::is_same_v<Z, std::uint32_t>;

// Philox4x32-10 as Random123 defines it: a round makes the words v0 to v3 into
//   high(v2 * factor2) ^ v1 ^ key0, low(v2 * factor2), high(v0 * factor0) ^ v3 ^ key1, low(v0 * factor0).
// Each word has a lane of 64 bits, so that a product's halves are where the next round needs them: its lower half is
// the next word as it is, since the upper half is ignored.
constexpr std::uint64_t factor0 = 0xD2511F53, factor2 = 0xCD9E8D57;
constexpr std::uint32_t weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85;
constexpr int rounds = 10;

// What the first rounds have in common for all lanes: x and the purpose are the same, and z may be. It is computed
// once.
struct CommonRounds {
  static constexpr int count = 3;
  std::uint64_t key0[rounds];
  std::uint64_t key1[rounds];
  // What is combined with a word of each lane to give the next one.
  std::uint64_t v0_of_1;  // with y; where z is not the same, with the high half of z's product, too
  std::uint64_t v2_of_2;  // with the high half of v0's product
  std::uint64_t v0_of_2;  // z the same: the word itself; else with the low half of z's product
  std::uint64_t v0_of_3;  // with the high half of v2's product
  std::uint64_t v2_of_3;  // z the same: with v3
  std::uint64_t v3_of_3;  // z the same: the word itself

  CommonRounds(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, std::uint32_t z) {
    auto next0 = static_cast<std::uint32_t>(seed);
    auto next1 = static_cast<std::uint32_t>(seed >> 32);
    for (int round = 0; round < rounds; ++round, next0 += weyl0, next1 += weyl1) {
      key0[round] = next0;
      key1[round] = next1;
    }
    const std::uint64_t of_x = x * factor0;
    const std::uint64_t of_z = z * factor2;
    const std::uint64_t of_v2 = low(high(of_x) ^ purpose ^ key1[0]) * factor2;
    v0_of_1 = high(of_z) ^ key0[0];
    v2_of_2 = low(of_x) ^ key1[1];
    v0_of_2 = high(of_v2) ^ low(of_z) ^ key0[1];
    v0_of_3 = low(of_v2) ^ key0[2];
    const std::uint64_t of_v0 = low(v0_of_2) * factor0;
    v2_of_3 = high(of_v0) ^ key1[2];
    v3_of_3 = low(of_v0);
  }

 private:
  static std::uint64_t low(std::uint64_t product) { return product & 0xffffffffU; }
  static std::uint64_t high(std::uint64_t product) { return product >> 32; }
};

}  // namespace
}  // namespace clopt::openmp

#define CLOPT_CODE <openmp/simd/philox_code.hpp>
#include <openmp/simd/each_set.hpp>

namespace clopt::openmp {
namespace {

constexpr std::uint32_t whole_lanes(std::uint32_t count) {
  return (count + random_lanes - 1) / random_lanes * random_lanes;
}

}  // namespace

void random_blocks(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, const std::uint32_t* y,
                   const std::uint32_t* z, std::uint32_t count, std::uint64_t* ab, std::uint64_t* cd) {
  static const auto blocks = CLOPT_BEST(blocks<const std::uint32_t*>);
  blocks(seed, purpose, x, y, z, whole_lanes(count), ab, cd);
}

void random_blocks(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, const std::uint32_t* y, std::uint32_t z,
                   std::uint32_t count, std::uint64_t* ab, std::uint64_t* cd) {
  static const auto blocks = CLOPT_BEST(blocks<std::uint32_t>);
  blocks(seed, purpose, x, y, z, whole_lanes(count), ab, cd);
}

void random_words(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, std::uint32_t z, std::size_t count,
                  std::uint32_t* words) {
  static const auto best = CLOPT_BEST(words);
  best(seed, purpose, x, z, count, words);
}

}  // namespace clopt::openmp
