#include "subset_sum_strip.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 takes operands that its own intrinsics leave undefined on purpose for forgotten ones (its bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

namespace clopt::openmp::subset_sum {
namespace {

using Word = std::uint64_t;
constexpr std::uint32_t bits = 64;

// Compiled for each instruction set by the functions that it is written into.
[[gnu::always_inline]] inline void take_in_loop(Word* __restrict reached, const Word* __restrict high,
                                                std::uint32_t shift, std::int64_t words) {
  if (shift == 0) {
    for (std::int64_t x = 0; x < words; ++x) reached[x] |= high[x];
    return;
  }
  for (std::int64_t x = 0; x < words; ++x) reached[x] |= high[x] << shift | high[x - 1] >> (bits - shift);
}

void take_portably(Word* reached, const Word* high, std::uint32_t shift, std::int64_t words) {
  take_in_loop(reached, high, shift, words);
}

#ifdef __x86_64__

__attribute__((target("avx2"))) void take_avx2(Word* reached, const Word* high, std::uint32_t shift,
                                               std::int64_t words) {
  take_in_loop(reached, high, shift, words);
}

// A word's lower neighbour comes from the vector before, not from memory a second time: a vector that lies across two
// cache lines is read at half the rate.
__attribute__((target("avx512f"))) void take_avx512(Word* reached, const Word* high, std::uint32_t shift,
                                                    std::int64_t words) {
  constexpr std::int64_t lanes = 8;
  const __m512i up = _mm512_set1_epi64(shift);
  const __m512i down = _mm512_set1_epi64(bits - shift);  // a shift by all 64 bits leaves 0
  __m512i before = _mm512_loadu_si512(high - lanes);
  for (std::int64_t x = 0; x < words; x += lanes) {
    const __m512i here = _mm512_loadu_si512(high + x);
    const __m512i beneath = _mm512_alignr_epi64(here, before, lanes - 1);
    constexpr int any_of_three = 0xfe;
    const __m512i after = _mm512_ternarylogic_epi64(_mm512_load_si512(reached + x), _mm512_sllv_epi64(here, up),
                                                    _mm512_srlv_epi64(beneath, down), any_of_three);
    _mm512_store_si512(reached + x, after);
    before = here;
  }
}

#endif

}  // namespace

TakeStrip best_take_strip() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f")) return take_avx512;
  if (__builtin_cpu_supports("avx2")) return take_avx2;
#endif
  return take_portably;
}

}  // namespace clopt::openmp::subset_sum
