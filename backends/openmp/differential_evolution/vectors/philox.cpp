/// \file
/// Philox4x32-10 (random.h) for many individuals at once.
#include "lanes.hpp"

#include <shared/random.h>
#include <support/numbers/instruction_set.hpp>

#include <openmp/simd/intrinsics.hpp>

namespace clopt::openmp::differential_evolution {
namespace {

using Words = void (*)(const LaneAddress&, std::uint32_t, std::size_t, std::uint32_t*);

void words_portably(const LaneAddress& at, std::uint32_t draw, std::size_t count, std::uint32_t* words) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto block = shared::random_at(at.seed, at.problem, at.generation, static_cast<std::uint32_t>(i), draw);
    words[i] = block.a;
    words[count + i] = block.b;
    words[2 * count + i] = block.c;
    words[3 * count + i] = block.d;
  }
}

#ifdef __x86_64__

constexpr std::uint32_t multipliers[2] = {0xD2511F53, 0xCD9E8D57};
constexpr std::uint32_t weyl[2] = {0x9E3779B9, 0xBB67AE85};
constexpr int rounds = 10;

std::uint32_t high_half(std::uint64_t product) { return static_cast<std::uint32_t>(product >> 32); }
std::uint32_t low_half(std::uint64_t product) { return static_cast<std::uint32_t>(product); }

/// The rounds in which some of the four words are the same for all individuals: only the second word is not, at first.
struct CommonRounds {
  CommonRounds(const LaneAddress& at, std::uint32_t draw) {
    auto key0 = low_half(at.seed);
    auto key1 = high_half(at.seed);
    for (auto& key : keys) {
      key[0] = key0;
      key[1] = key1;
      key0 += weyl[0];
      key1 += weyl[1];
    }
    const auto first = std::uint64_t{at.generation} * multipliers[0];
    const auto second = std::uint64_t{draw} * multipliers[1];
    with_individual = high_half(second) ^ keys[0][0];
    const auto third_word = high_half(first) ^ at.problem ^ keys[0][1];
    const auto next = std::uint64_t{third_word} * multipliers[1];
    with_first = low_half(first) ^ keys[1][1];
    const auto last = std::uint64_t{high_half(next) ^ low_half(second) ^ keys[1][0]} * multipliers[0];
    with_second = low_half(next) ^ keys[2][0];
    with_third = high_half(last) ^ keys[2][1];
    fourth_word = low_half(last);
  }

  std::uint32_t keys[rounds][2];
  std::uint32_t with_individual;  ///< the first word after round 1 is this xor the individual
  std::uint32_t with_first;       ///< the third word after round 2 is this xor the upper half of the first's product
  std::uint32_t with_second;      ///< the first word after round 3 is this xor the upper half of the third's product
  std::uint32_t with_third;       ///< the third word after round 3 is this xor the lower half of round 2's product
  std::uint32_t fourth_word;      ///< after round 3
};
constexpr int common_rounds = 3;

// Lanes have 64 bits, whose upper halves do not matter: a multiplication reads the lower halves only, and gives both
// halves of the product at once. Lanes of even and of odd individuals go side by side.

#define CLOPT_AVX512 __attribute__((target("avx512f")))

struct State512 {
  __m512i x[4];
};

[[gnu::always_inline]] CLOPT_AVX512 inline __m512i whole_lanes_512(std::uint32_t word) {
  return _mm512_set1_epi64(word);
}

// After the rounds that individuals have in common.
[[gnu::always_inline]] CLOPT_AVX512 inline State512 begin_512(const CommonRounds& common, __m512i individuals) {
  const __m512i word = _mm512_xor_si512(individuals, whole_lanes_512(common.with_individual));
  const __m512i first = _mm512_mul_epu32(word, whole_lanes_512(multipliers[0]));
  const __m512i third = _mm512_xor_si512(_mm512_srli_epi64(first, 32), whole_lanes_512(common.with_first));
  const __m512i second = _mm512_mul_epu32(third, whole_lanes_512(multipliers[1]));
  return {{_mm512_xor_si512(_mm512_srli_epi64(second, 32), whole_lanes_512(common.with_second)), second,
           _mm512_xor_si512(first, whole_lanes_512(common.with_third)), whole_lanes_512(common.fourth_word)}};
}

[[gnu::always_inline]] CLOPT_AVX512 inline void round_512(State512& s, __m512i key0, __m512i key1) {
  const __m512i first = _mm512_mul_epu32(s.x[0], _mm512_set1_epi64(multipliers[0]));
  const __m512i second = _mm512_mul_epu32(s.x[2], _mm512_set1_epi64(multipliers[1]));
  constexpr int xor_of_three = 0x96;
  s.x[0] = _mm512_ternarylogic_epi64(_mm512_srli_epi64(second, 32), s.x[1], key0, xor_of_three);
  s.x[1] = second;
  s.x[2] = _mm512_ternarylogic_epi64(_mm512_srli_epi64(first, 32), s.x[3], key1, xor_of_three);
  s.x[3] = first;
}

CLOPT_AVX512 void words_avx512(const LaneAddress& at, std::uint32_t draw, std::size_t count, std::uint32_t* words) {
  const CommonRounds common(at, draw);
  const __m512i steps = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
  for (std::size_t i = 0; i < count; i += 16) {
    const __m512i individuals = _mm512_add_epi64(_mm512_set1_epi64(static_cast<long long>(i)), steps);
    auto even = begin_512(common, individuals);
    auto odd = begin_512(common, _mm512_add_epi64(individuals, _mm512_set1_epi64(1)));
    for (int round = common_rounds; round < rounds; ++round) {
      const __m512i key0 = whole_lanes_512(common.keys[round][0]);
      const __m512i key1 = whole_lanes_512(common.keys[round][1]);
      round_512(even, key0, key1);
      round_512(odd, key0, key1);
    }
    for (std::size_t w = 0; w < 4; ++w)
      _mm512_storeu_si512(words + w * count + i,
                          _mm512_mask_blend_epi32(0xAAAA, even.x[w], _mm512_slli_epi64(odd.x[w], 32)));
  }
}

#define CLOPT_AVX2 __attribute__((target("avx2")))

struct State256 {
  __m256i x[4];
};

[[gnu::always_inline]] CLOPT_AVX2 inline __m256i whole_lanes_256(std::uint32_t word) {
  return _mm256_set1_epi64x(word);
}

[[gnu::always_inline]] CLOPT_AVX2 inline State256 begin_256(const CommonRounds& common, __m256i individuals) {
  const __m256i word = _mm256_xor_si256(individuals, whole_lanes_256(common.with_individual));
  const __m256i first = _mm256_mul_epu32(word, whole_lanes_256(multipliers[0]));
  const __m256i third = _mm256_xor_si256(_mm256_srli_epi64(first, 32), whole_lanes_256(common.with_first));
  const __m256i second = _mm256_mul_epu32(third, whole_lanes_256(multipliers[1]));
  return {{_mm256_xor_si256(_mm256_srli_epi64(second, 32), whole_lanes_256(common.with_second)), second,
           _mm256_xor_si256(first, whole_lanes_256(common.with_third)), whole_lanes_256(common.fourth_word)}};
}

[[gnu::always_inline]] CLOPT_AVX2 inline void round_256(State256& s, __m256i key0, __m256i key1) {
  const __m256i first = _mm256_mul_epu32(s.x[0], _mm256_set1_epi64x(multipliers[0]));
  const __m256i second = _mm256_mul_epu32(s.x[2], _mm256_set1_epi64x(multipliers[1]));
  s.x[0] = _mm256_xor_si256(_mm256_srli_epi64(second, 32), _mm256_xor_si256(s.x[1], key0));
  s.x[1] = second;
  s.x[2] = _mm256_xor_si256(_mm256_srli_epi64(first, 32), _mm256_xor_si256(s.x[3], key1));
  s.x[3] = first;
}

// The words of eight individuals for each vector; rounds of several vectors go on while one waits for its products.
template <std::size_t vectors>
[[gnu::always_inline]] CLOPT_AVX2 inline std::size_t words_of_vectors(const CommonRounds& common,
                                                                      const __m256i (*keys)[2], std::size_t i,
                                                                      std::size_t count, std::uint32_t* words) {
  const __m256i steps = _mm256_set_epi64x(6, 4, 2, 0);
  State256 even[vectors];
  State256 odd[vectors];
#pragma GCC unroll 2
  for (std::size_t v = 0; v < vectors; ++v) {
    const std::size_t first = i + 8 * v;
    const __m256i individuals = _mm256_add_epi64(_mm256_set1_epi64x(static_cast<long long>(first)), steps);
    even[v] = begin_256(common, individuals);
    odd[v] = begin_256(common, _mm256_add_epi64(individuals, _mm256_set1_epi64x(1)));
  }
#pragma GCC unroll 8
  for (int round = common_rounds; round < rounds; ++round)
#pragma GCC unroll 2
    for (std::size_t v = 0; v < vectors; ++v) {
      round_256(even[v], keys[round][0], keys[round][1]);
      round_256(odd[v], keys[round][0], keys[round][1]);
    }
#pragma GCC unroll 2
  for (std::size_t v = 0; v < vectors; ++v)
    for (std::size_t w = 0; w < 4; ++w)
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(words + w * count + i + 8 * v),
                          _mm256_blend_epi32(even[v].x[w], _mm256_slli_epi64(odd[v].x[w], 32), 0xAA));
  return 8 * vectors;
}

CLOPT_AVX2 void words_avx2(const LaneAddress& at, std::uint32_t draw, std::size_t count, std::uint32_t* words) {
  const CommonRounds common(at, draw);
  __m256i keys[rounds][2];
  for (int round = common_rounds; round < rounds; ++round)
    for (int k = 0; k < 2; ++k) keys[round][k] = whole_lanes_256(common.keys[round][k]);
  for (std::size_t i = 0; i < count;) {
    const auto done = count - i >= 16 ? words_of_vectors<2>(common, keys, i, count, words)
                                      : words_of_vectors<1>(common, keys, i, count, words);
    i += done;
  }
}

#endif

Words best_words() {
#ifdef __x86_64__
  if (uses_avx512()) return words_avx512;
  if (uses_avx2()) return words_avx2;
#endif
  return words_portably;
}

}  // namespace

void random_words(const LaneAddress& at, std::uint32_t draw, std::size_t count, std::uint32_t* words) {
  static const Words best = best_words();
  best(at, draw, count, words);
}

}  // namespace clopt::openmp::differential_evolution
