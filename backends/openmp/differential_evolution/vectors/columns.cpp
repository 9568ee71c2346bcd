#include "columns.hpp"

#include <shared/differential_evolution/crossover.h>
#include <support/numbers/instruction_set.hpp>

#include <algorithm>

#include <openmp/simd/intrinsics.hpp>

namespace clopt::openmp::differential_evolution {

#ifdef __x86_64__

#define CLOPT_AVX512 __attribute__((target("avx512f")))

namespace {

// The upper halves of the products of 32-bit lanes with a number.
[[gnu::always_inline]] CLOPT_AVX512 inline __m512i high_products(__m512i x, __m512i factor) {
  const __m512i even = _mm512_srli_epi64(_mm512_mul_epu32(x, factor), 32);
  const __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(x, 32), factor);
  return _mm512_mask_blend_epi32(0xAAAA, even, odd);
}

[[gnu::always_inline]] CLOPT_AVX512 inline __m512i whole_lanes(std::uint32_t number) {
  return _mm512_set1_epi32(static_cast<int>(number));
}

// Both halves of the same products.
struct Products {
  __m512i high;
  __m512i low;
};
[[gnu::always_inline]] CLOPT_AVX512 inline Products products(__m512i x, __m512i factor) {
  const __m512i even = _mm512_mul_epu32(x, factor);
  const __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(x, 32), factor);
  return {_mm512_mask_blend_epi32(0xAAAA, _mm512_srli_epi64(even, 32), odd),
          _mm512_mask_blend_epi32(0xAAAA, even, _mm512_slli_epi64(odd, 32))};
}

// Counts on where an individual is not below one that is taken.
[[gnu::always_inline]] CLOPT_AVX512 inline __m512i past(__m512i individual, __m512i taken) {
  return _mm512_mask_add_epi32(individual, _mm512_cmpge_epu32_mask(individual, taken), individual,
                               _mm512_set1_epi32(1));
}

/// What draw_three() needs of vectors of words.
struct Words {
  static constexpr std::size_t lanes = lane_block;
  [[gnu::always_inline]] CLOPT_AVX512 static inline __m512i numbers() {
    return _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  }
  [[gnu::always_inline]] CLOPT_AVX512 static inline __m512i load(const std::uint32_t* from) {
    return _mm512_loadu_si512(from);
  }
  [[gnu::always_inline]] CLOPT_AVX512 static inline void store(std::uint32_t* to, __m512i x) {
    _mm512_storeu_si512(to, x);
  }
  [[gnu::always_inline]] CLOPT_AVX512 static inline __m512i least(__m512i x, __m512i y) {
    return _mm512_min_epu32(x, y);
  }
  [[gnu::always_inline]] CLOPT_AVX512 static inline __m512i greatest(__m512i x, __m512i y) {
    return _mm512_max_epu32(x, y);
  }
  [[gnu::always_inline]] CLOPT_AVX512 static inline __m512i sum(__m512i x, __m512i y) { return _mm512_add_epi32(x, y); }
};

#define DRAWS_TARGET CLOPT_AVX512
#include "draws_code.hpp"
#undef DRAWS_TARGET

// evolution_toss() of sixteen individuals.
struct Coins {
  __m512i word;
  __m512i range;
};
[[gnu::always_inline]] CLOPT_AVX512 inline __mmask16 toss(Coins& coins, __m512i chance) {
  const __m512i share = high_products(coins.range, chance);
  const __mmask16 taken = _mm512_cmplt_epu32_mask(coins.word, share);
  coins.word = _mm512_mask_sub_epi32(coins.word, _knot_mask16(taken), coins.word, share);
  coins.range = _mm512_mask_mov_epi32(_mm512_sub_epi32(coins.range, share), taken, share);
  return taken;
}

// Sixteen individuals that play one part, and on which side of each power of two of registers they are.
template <int pairs>
struct Picks {
  __m512i individuals;
  __mmask16 upper_pair;
  __mmask16 upper_half;
};
template <int pairs>
[[gnu::always_inline]] CLOPT_AVX512 inline Picks<pairs> picks_of(const std::uint32_t* individuals) {
  Picks<pairs> picks{_mm512_loadu_si512(individuals), 0, 0};
  if constexpr (pairs > 1) picks.upper_pair = _mm512_test_epi32_mask(picks.individuals, _mm512_set1_epi32(32));
  if constexpr (pairs > 2) picks.upper_half = _mm512_test_epi32_mask(picks.individuals, _mm512_set1_epi32(64));
  return picks;
}

// A parameter of the individuals picked, from a column of 32 * pairs.
template <int pairs>
[[gnu::always_inline]] CLOPT_AVX512 inline __m512 pick(const __m512* column, const Picks<pairs>& picks) {
  const __m512 first = _mm512_permutex2var_ps(column[0], picks.individuals, column[1]);
  if constexpr (pairs == 1) return first;
  const __m512 second = _mm512_permutex2var_ps(column[2], picks.individuals, column[3]);
  const __m512 lower = _mm512_mask_mov_ps(first, picks.upper_pair, second);
  if constexpr (pairs == 2) return lower;
  const __m512 third = _mm512_permutex2var_ps(column[4], picks.individuals, column[5]);
  const __m512 fourth = _mm512_permutex2var_ps(column[6], picks.individuals, column[7]);
  return _mm512_mask_mov_ps(lower, picks.upper_half, _mm512_mask_mov_ps(third, picks.upper_pair, fourth));
}

template <int pairs, bool has_second, bool has_bounds>
CLOPT_AVX512 void make_so(const TrialColumns& all, std::uint32_t first, const GroupWords& words, float* trials) {
  const std::uint32_t end = std::min(all.dimensions, first + EVOLUTION_GROUP);
  const __m512i chance = _mm512_set1_epi32(static_cast<int>(shared::evolution_chance(words.probability)));
  const bool certain = words.probability >= BERNOULLI_ONE;
  const __m512 weight = _mm512_set1_ps(all.weight);
  const std::size_t count = all.count;
  for (std::size_t i = 0; i < count; i += lane_block) {
    const auto base = picks_of<pairs>(all.donors.base + i);
    const auto plus = picks_of<pairs>(all.donors.plus + i);
    const auto minus = picks_of<pairs>(all.donors.minus + i);
    const auto second_plus = picks_of<pairs>(has_second ? all.donors.second_plus + i : all.donors.plus + i);
    const auto second_minus = picks_of<pairs>(has_second ? all.donors.second_minus + i : all.donors.minus + i);
    const __m512i forced = _mm512_loadu_si512(all.forced + i);
    const __m512i whole = _mm512_set1_epi32(-1);
    Coins coins{certain ? _mm512_setzero_si512() : _mm512_loadu_si512(words.even + i), whole};
    Coins other{certain ? _mm512_setzero_si512() : _mm512_loadu_si512(words.odd + i), whole};
    for (std::uint32_t j = first; j < end; ++j) {
      const float* const parameter = all.columns + j * count;
      __m512 column[2 * pairs];
      for (std::size_t n = 0; n < 2 * pairs; ++n)
        column[n] = n * lane_block < count ? _mm512_loadu_ps(parameter + n * lane_block) : _mm512_setzero_ps();
      const __m512 difference = _mm512_sub_ps(pick<pairs>(column, plus), pick<pairs>(column, minus));
      __m512 mutant = _mm512_add_ps(pick<pairs>(column, base), _mm512_mul_ps(weight, difference));
      if constexpr (has_second) {
        const __m512 second = _mm512_sub_ps(pick<pairs>(column, second_plus), pick<pairs>(column, second_minus));
        mutant = _mm512_add_ps(mutant, _mm512_mul_ps(weight, second));
      }
      if constexpr (has_bounds) {
        // Both return their second operand where one is NaN.
        mutant = _mm512_max_ps(mutant, _mm512_set1_ps(all.lower[j]));
        mutant = _mm512_min_ps(mutant, _mm512_set1_ps(all.upper[j]));
      }
      const __mmask16 taken =
          toss(coins, chance) | _mm512_cmpeq_epi32_mask(forced, _mm512_set1_epi32(static_cast<int>(j)));
      _mm512_storeu_ps(trials + j * count + i, _mm512_mask_mov_ps(_mm512_loadu_ps(parameter + i), taken, mutant));
      std::swap(coins, other);
    }
  }
}

using Make = void (*)(const TrialColumns&, std::uint32_t, const GroupWords&, float*);
template <int pairs>
Make make_for(const TrialColumns& all) {
  if (all.donors.second_plus) return all.lower ? make_so<pairs, true, true> : make_so<pairs, true, false>;
  return all.lower ? make_so<pairs, false, true> : make_so<pairs, false, false>;
}

}  // namespace

bool has_columns() {
  static const bool has = uses_avx512();
  return has;
}

void draw_three_in_columns(const std::uint32_t* words, std::size_t count, std::uint32_t population,
                           std::uint32_t dimensions, std::uint32_t* drawn) {
  draw_three_of<Words>(words, count, population, dimensions, drawn);
}

CLOPT_AVX512 void draw_taken_in_columns(const GroupWords& words, const TakenGroup& group, std::size_t count,
                                        std::uint32_t* taken) {
  const __m512i chance = _mm512_set1_epi32(static_cast<int>(shared::evolution_chance(words.probability)));
  const bool certain = words.probability >= BERNOULLI_ONE;
  const __m512i whole = _mm512_set1_epi32(-1);
  for (std::size_t i = 0; i < count; i += lane_block) {
    Coins coins{certain ? _mm512_setzero_si512() : _mm512_loadu_si512(words.even + i), whole};
    Coins other{certain ? _mm512_setzero_si512() : _mm512_loadu_si512(words.odd + i), whole};
    // No bit where the parameter is in another group.
    __m512i bits = _mm512_sllv_epi32(whole_lanes(1),
                                     _mm512_sub_epi32(_mm512_loadu_si512(group.forced + i), whole_lanes(group.first)));
    for (std::uint32_t n = 0; n < group.parameters; ++n) {
      bits = _mm512_mask_or_epi32(bits, toss(coins, chance), bits, _mm512_set1_epi32(1 << n));
      std::swap(coins, other);
    }
    _mm512_storeu_si512(taken + i, bits);
  }
}

void make_columns(const TrialColumns& all, std::uint32_t first, const GroupWords& words, float* trials) {
  const auto make = all.count <= 32 ? make_for<1>(all) : all.count <= 64 ? make_for<2>(all) : make_for<4>(all);
  make(all, first, words, trials);
}

CLOPT_AVX512 std::uint32_t replace_columns(const Selection<float>& selection, std::size_t count,
                                           std::uint32_t dimensions) {
  const auto [trials, trial_values, columns, values, population] = selection;
  std::uint32_t invalid = 0;
  for (std::size_t i = 0; i < population; i += lane_block) {
    const auto left = std::min(lane_block, population - i);
    const auto own = static_cast<__mmask16>((1U << left) - 1);
    const __m512 value = _mm512_maskz_loadu_ps(own, values + i);
    const __m512 found = _mm512_maskz_loadu_ps(own, trial_values + i);
    const __mmask16 better = _mm512_mask_cmp_ps_mask(own, found, value, _CMP_LT_OQ);
    invalid += static_cast<std::uint32_t>(__builtin_popcount(_mm512_mask_cmp_ps_mask(own, found, found, _CMP_UNORD_Q)));
    if (better == 0) continue;
    _mm512_mask_storeu_ps(values + i, better, found);
    for (std::uint32_t j = 0; j < dimensions; ++j)
      _mm512_mask_storeu_ps(columns + j * count + i, better, _mm512_loadu_ps(trials + j * count + i));
  }
  return invalid;
}

#else

bool has_columns() { return false; }
void draw_three_in_columns(const std::uint32_t*, std::size_t, std::uint32_t, std::uint32_t, std::uint32_t*) {}
void draw_taken_in_columns(const GroupWords&, const TakenGroup&, std::size_t, std::uint32_t*) {}
void make_columns(const TrialColumns&, std::uint32_t, const GroupWords&, float*) {}
std::uint32_t replace_columns(const Selection<float>&, std::size_t, std::uint32_t) { return 0; }

#endif

}  // namespace clopt::openmp::differential_evolution
