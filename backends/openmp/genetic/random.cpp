#include "random.hpp"

#include <shared/random.h>

#include <support/instruction_set.hpp>

#include <openmp/intrinsics.hpp>

namespace clopt::openmp::genetic {
namespace {

using std::uint32_t;
using std::uint64_t;

void blocks_portably(uint64_t seed, uint32_t purpose, uint32_t x, const uint32_t* y, const uint32_t* z, uint32_t count,
                     uint64_t* ab, uint64_t* cd) {
  for (uint32_t i = 0; i < count; ++i) {
    const auto block = shared::random_at(seed, purpose, x, y[i], z[i]);
    ab[i] = shared::random_word_64(block.a, block.b);
    cd[i] = shared::random_word_64(block.c, block.d);
  }
}

#ifdef __x86_64__

// Philox4x32-10 as Random123 defines it. Each word has a lane of 64 bits, so that a product's halves are where the next
// round needs them: its lower half is the next word as it is, since the upper half is ignored.
constexpr long long first_factor = 0xD2511F53, second_factor = 0xCD9E8D57;
constexpr uint32_t first_weyl = 0x9E3779B9, second_weyl = 0xBB67AE85;
constexpr int rounds = 10;

__attribute__((target("avx2"))) void blocks_avx2(uint64_t seed, uint32_t purpose, uint32_t x, const uint32_t* y,
                                                 const uint32_t* z, uint32_t count, uint64_t* ab, uint64_t* cd) {
  constexpr uint32_t lanes = 4;
  constexpr int vectors = 4;
  const __m256i factor0 = _mm256_set1_epi64x(first_factor);
  const __m256i factor2 = _mm256_set1_epi64x(second_factor);
  const __m256i low = _mm256_set1_epi64x(0xffffffff);
  __m256i keys[rounds][2];
  auto key0 = static_cast<uint32_t>(seed);
  auto key1 = static_cast<uint32_t>(seed >> 32);
  for (auto& key : keys) {
    key[0] = _mm256_set1_epi64x(key0);
    key[1] = _mm256_set1_epi64x(key1);
    key0 += first_weyl;
    key1 += second_weyl;
  }
  for (uint32_t i = 0; i < count; i += lanes * vectors) {
    __m256i v0[vectors], v1[vectors], v2[vectors], v3[vectors];
    for (int j = 0; j < vectors; ++j) {
      const auto at = i + static_cast<uint32_t>(j) * lanes;
      v0[j] = _mm256_set1_epi64x(x);
      v1[j] = _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(y + at)));
      v2[j] = _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(z + at)));
      v3[j] = _mm256_set1_epi64x(purpose);
    }
    for (const auto& key : keys) {
      for (int j = 0; j < vectors; ++j) {
        const __m256i p0 = _mm256_mul_epu32(v0[j], factor0);
        const __m256i p2 = _mm256_mul_epu32(v2[j], factor2);
        v0[j] = _mm256_xor_si256(_mm256_srli_epi64(p2, 32), _mm256_xor_si256(v1[j], key[0]));
        v2[j] = _mm256_xor_si256(_mm256_srli_epi64(p0, 32), _mm256_xor_si256(v3[j], key[1]));
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

__attribute__((target("avx512f"))) void blocks_avx512(uint64_t seed, uint32_t purpose, uint32_t x, const uint32_t* y,
                                                      const uint32_t* z, uint32_t count, uint64_t* ab, uint64_t* cd) {
  constexpr uint32_t lanes = 8;
  constexpr int vectors = 2;
  constexpr int xor_of_three = 0x96;
  const __m512i factor0 = _mm512_set1_epi64(first_factor);
  const __m512i factor2 = _mm512_set1_epi64(second_factor);
  const __m512i low = _mm512_set1_epi64(0xffffffff);
  for (uint32_t i = 0; i < count; i += lanes * vectors) {
    auto key0 = static_cast<uint32_t>(seed);
    auto key1 = static_cast<uint32_t>(seed >> 32);
    __m512i v0[vectors], v1[vectors], v2[vectors], v3[vectors];
    for (int j = 0; j < vectors; ++j) {
      const auto at = i + static_cast<uint32_t>(j) * lanes;
      v0[j] = _mm512_set1_epi64(x);
      v1[j] = _mm512_cvtepu32_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(y + at)));
      v2[j] = _mm512_cvtepu32_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(z + at)));
      v3[j] = _mm512_set1_epi64(purpose);
    }
    for (int round = 0; round < rounds; ++round) {
      const __m512i k0 = _mm512_set1_epi64(key0);
      const __m512i k1 = _mm512_set1_epi64(key1);
      for (int j = 0; j < vectors; ++j) {
        const __m512i p0 = _mm512_mul_epu32(v0[j], factor0);
        const __m512i p2 = _mm512_mul_epu32(v2[j], factor2);
        v0[j] = _mm512_ternarylogic_epi64(_mm512_srli_epi64(p2, 32), v1[j], k0, xor_of_three);
        v2[j] = _mm512_ternarylogic_epi64(_mm512_srli_epi64(p0, 32), v3[j], k1, xor_of_three);
        v1[j] = p2;
        v3[j] = p0;
      }
      key0 += first_weyl;
      key1 += second_weyl;
    }
    for (int j = 0; j < vectors; ++j) {
      const auto at = i + static_cast<uint32_t>(j) * lanes;
      _mm512_storeu_si512(ab + at, _mm512_or_si512(_mm512_and_si512(v0[j], low), _mm512_slli_epi64(v1[j], 32)));
      _mm512_storeu_si512(cd + at, _mm512_or_si512(_mm512_and_si512(v2[j], low), _mm512_slli_epi64(v3[j], 32)));
    }
  }
}

#endif

using Blocks = void (*)(uint64_t, uint32_t, uint32_t, const uint32_t*, const uint32_t*, uint32_t, uint64_t*, uint64_t*);

Blocks best_blocks() {
#ifdef __x86_64__
  if (uses_avx512()) return blocks_avx512;
  if (uses_avx2()) return blocks_avx2;
#endif
  return blocks_portably;
}

}  // namespace

void random_blocks(uint64_t seed, uint32_t purpose, uint32_t x, const uint32_t* y, const uint32_t* z, uint32_t count,
                   uint64_t* ab, uint64_t* cd) {
  static const Blocks blocks = best_blocks();
  blocks(seed, purpose, x, y, z, (count + random_lanes - 1) / random_lanes * random_lanes, ab, cd);
}

}  // namespace clopt::openmp::genetic
