#include "strip.hpp"

#include <support/numbers/instruction_set.hpp>

#include <openmp/simd/intrinsics.hpp>

namespace clopt::openmp::subset_sum {
namespace {

using Word = std::uint64_t;
constexpr std::uint32_t word_bits = 64;

// Compiled for each instruction set by the functions that it is written into.
[[gnu::always_inline]] inline void take_in_loop(Word* __restrict reached, const Word* __restrict high,
                                                std::uint32_t shift, std::int64_t words) {
  if (shift == 0) {
    for (std::int64_t x = 0; x < words; ++x) reached[x] |= high[x];
    return;
  }
  for (std::int64_t x = 0; x < words; ++x) reached[x] |= high[x] << shift | high[x - 1] >> (word_bits - shift);
}

void take_portably(Word* reached, const Word* high, std::uint32_t shift, std::int64_t words) {
  take_in_loop(reached, high, shift, words);
}

#ifdef __x86_64__

__attribute__((target("avx2"))) void take_avx2(Word* reached, const Word* high, std::uint32_t shift,
                                               std::int64_t words) {
  take_in_loop(reached, high, shift, words);
}

#define CLOPT_AVX512 __attribute__((target("avx512f")))

/// What stays the same for all vectors of a strip, and the last one that was read below.
struct Shifted {
  __m512i up;
  __m512i down;
  __m512i before;
};

constexpr std::int64_t vector_words = 8;

// Takes `count` vectors, and writes them only if that changes any: what is only read need not go back to the
// second-level cache. A word's lower neighbour comes from the vector before, not from memory a second time: a vector
// that lies across two cache lines is read at half the rate.
template <int count>
[[gnu::always_inline]] CLOPT_AVX512 inline void take_vectors(Word* reached, const Word* high, Shifted& shifted) {
  __m512i complementary[count];
  __m512i fresh = _mm512_setzero_si512();
#pragma GCC unroll 8
  for (int i = 0; i < count; ++i) {
    const __m512i here = _mm512_loadu_si512(high + vector_words * i);
    const __m512i beneath = _mm512_alignr_epi64(here, shifted.before, vector_words - 1);
    complementary[i] = _mm512_or_si512(_mm512_sllv_epi64(here, shifted.up), _mm512_srlv_epi64(beneath, shifted.down));
    constexpr int first_or_second_without_third = 0xf4;
    fresh = _mm512_ternarylogic_epi64(fresh, complementary[i], _mm512_load_si512(reached + vector_words * i),
                                      first_or_second_without_third);
    shifted.before = here;
  }
  if (_mm512_test_epi64_mask(fresh, fresh) == 0) return;
#pragma GCC unroll 8
  for (int i = 0; i < count; ++i)
    _mm512_store_si512(reached + vector_words * i,
                       _mm512_or_si512(complementary[i], _mm512_load_si512(reached + vector_words * i)));
}

CLOPT_AVX512 void take_avx512(Word* reached, const Word* high, std::uint32_t shift, std::int64_t words) {
  constexpr std::int64_t together = 8;  // as many as registers hold
  Shifted shifted{_mm512_set1_epi64(shift), _mm512_set1_epi64(word_bits - shift),
                  _mm512_loadu_si512(high - vector_words)};
  std::int64_t x = 0;
  for (; x + together * vector_words <= words; x += together * vector_words)
    take_vectors<together>(reached + x, high + x, shifted);
  for (; x < words; x += vector_words) take_vectors<1>(reached + x, high + x, shifted);
}

#endif

}  // namespace

TakeStrip best_take_strip() {
#ifdef __x86_64__
  if (uses_avx512()) return take_avx512;
  if (uses_avx2()) return take_avx2;
#endif
  return take_portably;
}

}  // namespace clopt::openmp::subset_sum
