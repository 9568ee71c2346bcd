#include "columns.hpp"

#include <shared/differential_evolution/crossover.h>
#include <support/numbers/instruction_set.hpp>

#include <algorithm>
#include <bit>

#include <openmp/simd/intrinsics.hpp>

namespace clopt::openmp::differential_evolution {

#ifdef __x86_64__

#define CLOPT_AVX512 __attribute__((target("avx512f")))

namespace {

// The lanes of as many individuals.
inline __mmask16 own_lanes(std::size_t left) { return static_cast<__mmask16>((1U << std::min(lane_block, left)) - 1); }

// The upper halves of the products of 32-bit lanes with a number.
[[gnu::always_inline]] CLOPT_AVX512 inline __m512i high_products(__m512i x, __m512i factor) {
  const __m512i even = _mm512_srli_epi64(_mm512_mul_epu32(x, factor), 32);
  const __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(x, 32), factor);
  return _mm512_mask_blend_epi32(0xAAAA, even, odd);
}

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

// Both return their second operand where one is NaN.
[[gnu::always_inline]] CLOPT_AVX512 inline __m512 clipped(__m512 x, __m512 lower, __m512 upper) {
  return _mm512_min_ps(_mm512_max_ps(x, lower), upper);
}

template <int pairs, bool has_second, Edge edge>
CLOPT_AVX512 std::size_t make_so(const TrialColumns& all, std::uint32_t first, const GroupWords& words, float* trials) {
  const std::uint32_t end = std::min(all.dimensions, first + EVOLUTION_GROUP);
  const __m512i chance = _mm512_set1_epi32(static_cast<int>(shared::evolution_chance(words.probability)));
  const bool certain = words.probability >= BERNOULLI_ONE;
  const __m512 weight = _mm512_set1_ps(all.weight);
  const std::size_t count = all.count;
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; i += lane_block) {
    __mmask16 outside = 0;
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
      const __m512 lower = _mm512_set1_ps(all.lower[j]);
      const __m512 upper = _mm512_set1_ps(all.upper[j]);
      if constexpr (edge == Edge::clip) mutant = clipped(mutant, lower, upper);
      const __mmask16 taken =
          toss(coins, chance) | _mm512_cmpeq_epi32_mask(forced, _mm512_set1_epi32(static_cast<int>(j)));
      if constexpr (edge == Edge::find)
        outside |= _mm512_mask_cmp_ps_mask(taken, mutant, clipped(mutant, lower, upper), _CMP_NEQ_UQ);
      _mm512_storeu_ps(trials + j * count + i, _mm512_mask_mov_ps(_mm512_loadu_ps(parameter + i), taken, mutant));
      std::swap(coins, other);
    }
    if constexpr (edge == Edge::find)
      for (std::uint32_t bits = outside & own_lanes(all.population - i); bits != 0; bits &= bits - 1)
        all.outside[found++] = {static_cast<std::uint32_t>(i) + static_cast<std::uint32_t>(std::countr_zero(bits)),
                                (1U << EVOLUTION_GROUP) - 1};
  }
  return found;
}

using Make = std::size_t (*)(const TrialColumns&, std::uint32_t, const GroupWords&, float*);
template <int pairs, Edge edge>
Make make_at(const TrialColumns& all) {
  return all.donors.second_plus ? make_so<pairs, true, edge> : make_so<pairs, false, edge>;
}
template <int pairs>
Make make_for(const TrialColumns& all) {
  if (all.edge == Edge::clip) return make_at<pairs, Edge::clip>(all);
  return all.edge == Edge::find ? make_at<pairs, Edge::find>(all) : make_at<pairs, Edge::none>(all);
}

}  // namespace

bool has_columns() {
  static const bool has = uses_avx512();
  return has;
}

std::size_t make_columns(const TrialColumns& all, std::uint32_t first, const GroupWords& words, float* trials) {
  const auto make = all.count <= 32 ? make_for<1>(all) : all.count <= 64 ? make_for<2>(all) : make_for<4>(all);
  return make(all, first, words, trials);
}

CLOPT_AVX512 std::uint32_t replace_columns(const Selection<float>& selection, std::size_t count,
                                           std::uint32_t dimensions) {
  const auto [trials, trial_values, columns, values, population] = selection;
  std::uint32_t invalid = 0;
  for (std::size_t i = 0; i < population; i += lane_block) {
    const auto own = own_lanes(population - i);
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
std::size_t make_columns(const TrialColumns&, std::uint32_t, const GroupWords&, float*) { return 0; }
std::uint32_t replace_columns(const Selection<float>&, std::size_t, std::uint32_t) { return 0; }

#endif

}  // namespace clopt::openmp::differential_evolution
