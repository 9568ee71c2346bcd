#include "random.hpp"

#include <shared/random.h>

#include <support/numbers/instruction_set.hpp>

#include <type_traits>

#include <openmp/simd/intrinsics.hpp>

namespace clopt::openmp::genetic {
namespace {

using std::uint32_t;
using std::uint64_t;

// `Z` is uint32_t where z is the same for all, else const uint32_t*.
template <class Z>
constexpr bool same_z = std::is_same_v<Z, uint32_t>;

template <class Z>
void blocks_portably(uint64_t seed, uint32_t purpose, uint32_t x, const uint32_t* y, Z z, uint32_t count, uint64_t* ab,
                     uint64_t* cd) {
  for (uint32_t i = 0; i < count; ++i) {
    shared::random_block block;
    if constexpr (same_z<Z>)
      block = shared::random_at(seed, purpose, x, y[i], z);
    else
      block = shared::random_at(seed, purpose, x, y[i], z[i]);
    ab[i] = shared::random_word_64(block.a, block.b);
    cd[i] = shared::random_word_64(block.c, block.d);
  }
}

#ifdef __x86_64__

// Philox4x32-10 as Random123 defines it: a round makes the words v0 to v3 into
//   high(v2 * factor2) ^ v1 ^ key0, low(v2 * factor2), high(v0 * factor0) ^ v3 ^ key1, low(v0 * factor0).
// Each word has a lane of 64 bits, so that a product's halves are where the next round needs them: its lower half is
// the next word as it is, since the upper half is ignored.
constexpr uint64_t factor0 = 0xD2511F53, factor2 = 0xCD9E8D57;
constexpr uint32_t weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85;
constexpr int rounds = 10;

// What the first rounds have in common for all lanes: x and the purpose are the same, and z may be. It is computed
// once.
struct CommonRounds {
  static constexpr int count = 3;
  uint64_t key0[rounds];
  uint64_t key1[rounds];
  // What is combined with a word of each lane to give the next one.
  uint64_t v0_of_1;  // with y; where z is not the same, with the high half of z's product, too
  uint64_t v2_of_2;  // with the high half of v0's product
  uint64_t v0_of_2;  // z the same: the word itself; else with the low half of z's product
  uint64_t v0_of_3;  // with the high half of v2's product
  uint64_t v2_of_3;  // z the same: with v3
  uint64_t v3_of_3;  // z the same: the word itself

  CommonRounds(uint64_t seed, uint32_t purpose, uint32_t x, uint32_t z) {
    auto next0 = static_cast<uint32_t>(seed);
    auto next1 = static_cast<uint32_t>(seed >> 32);
    for (int round = 0; round < rounds; ++round, next0 += weyl0, next1 += weyl1) {
      key0[round] = next0;
      key1[round] = next1;
    }
    const uint64_t of_x = x * factor0;
    const uint64_t of_z = z * factor2;
    const uint64_t of_v2 = low(high(of_x) ^ purpose ^ key1[0]) * factor2;
    v0_of_1 = high(of_z) ^ key0[0];
    v2_of_2 = low(of_x) ^ key1[1];
    v0_of_2 = high(of_v2) ^ low(of_z) ^ key0[1];
    v0_of_3 = low(of_v2) ^ key0[2];
    const uint64_t of_v0 = low(v0_of_2) * factor0;
    v2_of_3 = high(of_v0) ^ key1[2];
    v3_of_3 = low(of_v0);
  }

 private:
  static uint64_t low(uint64_t product) { return product & 0xffffffffU; }
  static uint64_t high(uint64_t product) { return product >> 32; }
};

__attribute__((target("avx2"))) __m256i all_avx2(uint64_t word) {
  return _mm256_set1_epi64x(static_cast<long long>(word));
}
__attribute__((target("avx2"))) __m256i load_avx2(const uint32_t* words) {
  return _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(words)));
}
__attribute__((target("avx2"))) __m256i high_avx2(__m256i product) { return _mm256_srli_epi64(product, 32); }
__attribute__((target("avx2"))) __m256i combine_avx2(__m256i a, __m256i b) { return _mm256_xor_si256(a, b); }

template <class Z>
__attribute__((target("avx2"))) void blocks_avx2(uint64_t seed, uint32_t purpose, uint32_t x, const uint32_t* y, Z z,
                                                 uint32_t count, uint64_t* ab, uint64_t* cd) {
  constexpr uint32_t lanes = 4;
  // More do not fit into the registers.
  constexpr int vectors = 2;
  static_assert(random_lanes % (lanes * vectors) == 0);
  uint32_t common_z = 0;
  if constexpr (same_z<Z>) common_z = z;
  const CommonRounds common(seed, purpose, x, common_z);
  const __m256i by0 = all_avx2(factor0);
  const __m256i by2 = all_avx2(factor2);
  const __m256i low = all_avx2(0xffffffffU);
  for (uint32_t i = 0; i < count; i += lanes * vectors) {
    __m256i v0[vectors], v1[vectors], v2[vectors], v3[vectors];
    for (int j = 0; j < vectors; ++j) {
      const auto at = i + static_cast<uint32_t>(j) * lanes;
      v0[j] = combine_avx2(load_avx2(y + at), all_avx2(common.v0_of_1));
      __m256i of_z{};
      if constexpr (!same_z<Z>) {
        of_z = _mm256_mul_epu32(load_avx2(z + at), by2);
        v0[j] = combine_avx2(v0[j], high_avx2(of_z));
      }
      const __m256i p0 = _mm256_mul_epu32(v0[j], by0);
      v2[j] = combine_avx2(high_avx2(p0), all_avx2(common.v2_of_2));
      const __m256i p2 = _mm256_mul_epu32(v2[j], by2);
      v0[j] = combine_avx2(high_avx2(p2), all_avx2(common.v0_of_3));
      v1[j] = p2;
      if constexpr (same_z<Z>) {
        v2[j] = combine_avx2(p0, all_avx2(common.v2_of_3));
        v3[j] = all_avx2(common.v3_of_3);
      } else {
        v3[j] = _mm256_mul_epu32(combine_avx2(of_z, all_avx2(common.v0_of_2)), by0);
        v2[j] = combine_avx2(combine_avx2(high_avx2(v3[j]), p0), all_avx2(common.key1[2]));
      }
    }
    for (int round = CommonRounds::count; round < rounds; ++round) {
      const __m256i key0 = all_avx2(common.key0[round]);
      const __m256i key1 = all_avx2(common.key1[round]);
      for (int j = 0; j < vectors; ++j) {
        const __m256i p0 = _mm256_mul_epu32(v0[j], by0);
        const __m256i p2 = _mm256_mul_epu32(v2[j], by2);
        v0[j] = combine_avx2(high_avx2(p2), combine_avx2(v1[j], key0));
        v2[j] = combine_avx2(high_avx2(p0), combine_avx2(v3[j], key1));
        v1[j] = p2;
        v3[j] = p0;
      }
    }
    for (int j = 0; j < vectors; ++j) {
      const auto at = i + static_cast<uint32_t>(j) * lanes;
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(ab + at),
                          _mm256_or_si256(_mm256_and_si256(v0[j], low), _mm256_slli_epi64(v1[j], 32)));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(cd + at),
                          _mm256_or_si256(_mm256_and_si256(v2[j], low), _mm256_slli_epi64(v3[j], 32)));
    }
  }
}

__attribute__((target("avx512f"))) __m512i all_avx512(uint64_t word) {
  return _mm512_set1_epi64(static_cast<long long>(word));
}
__attribute__((target("avx512f"))) __m512i load_avx512(const uint32_t* words) {
  return _mm512_cvtepu32_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(words)));
}
__attribute__((target("avx512f"))) __m512i high_avx512(__m512i product) { return _mm512_srli_epi64(product, 32); }
__attribute__((target("avx512f"))) __m512i combine_avx512(__m512i a, __m512i b) { return _mm512_xor_si512(a, b); }
__attribute__((target("avx512f"))) __m512i combine_avx512(__m512i a, __m512i b, __m512i c) {
  constexpr int xor_of_three = 0x96;
  return _mm512_ternarylogic_epi64(a, b, c, xor_of_three);
}

template <class Z>
__attribute__((target("avx512f"))) void blocks_avx512(uint64_t seed, uint32_t purpose, uint32_t x, const uint32_t* y,
                                                      Z z, uint32_t count, uint64_t* ab, uint64_t* cd) {
  constexpr uint32_t lanes = 8;
  constexpr int vectors = 2;
  static_assert(random_lanes % (lanes * vectors) == 0);
  uint32_t common_z = 0;
  if constexpr (same_z<Z>) common_z = z;
  const CommonRounds common(seed, purpose, x, common_z);
  const __m512i by0 = all_avx512(factor0);
  const __m512i by2 = all_avx512(factor2);
  const __m512i low = all_avx512(0xffffffffU);
  for (uint32_t i = 0; i < count; i += lanes * vectors) {
    __m512i v0[vectors], v1[vectors], v2[vectors], v3[vectors];
    for (int j = 0; j < vectors; ++j) {
      const auto at = i + static_cast<uint32_t>(j) * lanes;
      v0[j] = combine_avx512(load_avx512(y + at), all_avx512(common.v0_of_1));
      __m512i of_z{};
      if constexpr (!same_z<Z>) {
        of_z = _mm512_mul_epu32(load_avx512(z + at), by2);
        v0[j] = combine_avx512(v0[j], high_avx512(of_z));
      }
      const __m512i p0 = _mm512_mul_epu32(v0[j], by0);
      v2[j] = combine_avx512(high_avx512(p0), all_avx512(common.v2_of_2));
      const __m512i p2 = _mm512_mul_epu32(v2[j], by2);
      v0[j] = combine_avx512(high_avx512(p2), all_avx512(common.v0_of_3));
      v1[j] = p2;
      if constexpr (same_z<Z>) {
        v2[j] = combine_avx512(p0, all_avx512(common.v2_of_3));
        v3[j] = all_avx512(common.v3_of_3);
      } else {
        v3[j] = _mm512_mul_epu32(combine_avx512(of_z, all_avx512(common.v0_of_2)), by0);
        v2[j] = combine_avx512(high_avx512(v3[j]), p0, all_avx512(common.key1[2]));
      }
    }
    for (int round = CommonRounds::count; round < rounds; ++round) {
      const __m512i key0 = all_avx512(common.key0[round]);
      const __m512i key1 = all_avx512(common.key1[round]);
      for (int j = 0; j < vectors; ++j) {
        const __m512i p0 = _mm512_mul_epu32(v0[j], by0);
        const __m512i p2 = _mm512_mul_epu32(v2[j], by2);
        v0[j] = combine_avx512(high_avx512(p2), v1[j], key0);
        v2[j] = combine_avx512(high_avx512(p0), v3[j], key1);
        v1[j] = p2;
        v3[j] = p0;
      }
    }
    for (int j = 0; j < vectors; ++j) {
      const auto at = i + static_cast<uint32_t>(j) * lanes;
      _mm512_storeu_si512(ab + at, _mm512_or_si512(_mm512_and_si512(v0[j], low), _mm512_slli_epi64(v1[j], 32)));
      _mm512_storeu_si512(cd + at, _mm512_or_si512(_mm512_and_si512(v2[j], low), _mm512_slli_epi64(v3[j], 32)));
    }
  }
}

#endif

template <class Z>
using Blocks = void (*)(uint64_t, uint32_t, uint32_t, const uint32_t*, Z, uint32_t, uint64_t*, uint64_t*);

template <class Z>
Blocks<Z> best_blocks() {
#ifdef __x86_64__
  if (uses_avx512()) return blocks_avx512<Z>;
  if (uses_avx2()) return blocks_avx2<Z>;
#endif
  return blocks_portably<Z>;
}

constexpr uint32_t whole_lanes(uint32_t count) { return (count + random_lanes - 1) / random_lanes * random_lanes; }

}  // namespace

void random_blocks(uint64_t seed, uint32_t purpose, uint32_t x, const uint32_t* y, const uint32_t* z, uint32_t count,
                   uint64_t* ab, uint64_t* cd) {
  static const auto blocks = best_blocks<const uint32_t*>();
  blocks(seed, purpose, x, y, z, whole_lanes(count), ab, cd);
}

void random_blocks(uint64_t seed, uint32_t purpose, uint32_t x, const uint32_t* y, uint32_t z, uint32_t count,
                   uint64_t* ab, uint64_t* cd) {
  static const auto blocks = best_blocks<uint32_t>();
  blocks(seed, purpose, x, y, z, whole_lanes(count), ab, cd);
}

}  // namespace clopt::openmp::genetic
