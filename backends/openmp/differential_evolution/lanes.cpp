#include "lanes.hpp"

#include "columns.hpp"

#include <support/vectorize.hpp>

#include <algorithm>

#include <openmp/intrinsics.hpp>

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

// Philox (random.h) in lanes of 64 bits whose upper halves do not matter: a multiplication reads the lower halves only,
// and gives both halves of the product at once. Lanes of even and of odd individuals go side by side.
constexpr std::uint32_t multipliers[2] = {0xD2511F53, 0xCD9E8D57};
constexpr std::uint32_t weyl[2] = {0x9E3779B9, 0xBB67AE85};
constexpr int rounds = 10;

#define CLOPT_AVX512 __attribute__((target("avx512f")))

struct State512 {
  __m512i x[4];
};

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
  const __m512i steps = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
  for (std::size_t i = 0; i < count; i += 16) {
    State512 even{{_mm512_set1_epi64(at.generation),
                   _mm512_add_epi64(_mm512_set1_epi64(static_cast<long long>(i)), steps), _mm512_set1_epi64(draw),
                   _mm512_set1_epi64(at.problem)}};
    State512 odd = even;
    odd.x[1] = _mm512_add_epi64(even.x[1], _mm512_set1_epi64(1));
    auto key0 = static_cast<std::uint32_t>(at.seed);
    auto key1 = static_cast<std::uint32_t>(at.seed >> 32);
    for (int round = 0; round < rounds; ++round) {
      round_512(even, _mm512_set1_epi64(key0), _mm512_set1_epi64(key1));
      round_512(odd, _mm512_set1_epi64(key0), _mm512_set1_epi64(key1));
      key0 += weyl[0];
      key1 += weyl[1];
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

[[gnu::always_inline]] CLOPT_AVX2 inline void round_256(State256& s, __m256i key0, __m256i key1) {
  const __m256i first = _mm256_mul_epu32(s.x[0], _mm256_set1_epi64x(multipliers[0]));
  const __m256i second = _mm256_mul_epu32(s.x[2], _mm256_set1_epi64x(multipliers[1]));
  s.x[0] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(second, 32), s.x[1]), key0);
  s.x[1] = second;
  s.x[2] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(first, 32), s.x[3]), key1);
  s.x[3] = first;
}

CLOPT_AVX2 void words_avx2(const LaneAddress& at, std::uint32_t draw, std::size_t count, std::uint32_t* words) {
  const __m256i steps = _mm256_set_epi64x(6, 4, 2, 0);
  for (std::size_t i = 0; i < count; i += 8) {
    State256 even{{_mm256_set1_epi64x(at.generation),
                   _mm256_add_epi64(_mm256_set1_epi64x(static_cast<long long>(i)), steps), _mm256_set1_epi64x(draw),
                   _mm256_set1_epi64x(at.problem)}};
    State256 odd = even;
    odd.x[1] = _mm256_add_epi64(even.x[1], _mm256_set1_epi64x(1));
    auto key0 = static_cast<std::uint32_t>(at.seed);
    auto key1 = static_cast<std::uint32_t>(at.seed >> 32);
    for (int round = 0; round < rounds; ++round) {
      round_256(even, _mm256_set1_epi64x(key0), _mm256_set1_epi64x(key1));
      round_256(odd, _mm256_set1_epi64x(key0), _mm256_set1_epi64x(key1));
      key0 += weyl[0];
      key1 += weyl[1];
    }
    for (std::size_t w = 0; w < 4; ++w)
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(words + w * count + i),
                          _mm256_blend_epi32(even.x[w], _mm256_slli_epi64(odd.x[w], 32), 0xAA));
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

// Sixteen parameters of a trial; bit l of the mask decides about lane l.
template <class Real, bool has_second, bool has_bounds>
[[gnu::always_inline]] inline void make_block(const TrialRows<Real>& rows, std::uint32_t i, std::size_t j,
                                              Real* __restrict trial) {
  using Integer = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  const auto row = [&](std::uint32_t individual) { return rows.vectors + individual * rows.length + j; };
  const Integer mask = rows.taken[(i * rows.length + j) / lane_block];
  const Real weight = rows.weight;
  const Real* const own = row(i);
  const Real* const base = row(rows.base[i]);
  const Real* const plus = row(rows.plus[i]);
  const Real* const minus = row(rows.minus[i]);
  const Real* const second_plus = has_second ? row(rows.second_plus[i]) : nullptr;
  const Real* const second_minus = has_second ? row(rows.second_minus[i]) : nullptr;
  for (std::size_t l = 0; l < lane_block; ++l) {
    Real mutant = base[l] + weight * (plus[l] - minus[l]);
    if constexpr (has_second) mutant = mutant + weight * (second_plus[l] - second_minus[l]);
    if constexpr (has_bounds) {
      const Real lower = rows.lower[j + l];
      const Real upper = rows.upper[j + l];
      mutant = mutant > lower ? mutant : lower;
      mutant = mutant < upper ? mutant : upper;
    }
    trial[l] = (mask & Integer{1} << l) != 0 ? mutant : own[l];
  }
}

template <class Real, bool has_second, bool has_bounds>
[[gnu::always_inline]] inline void make_rows_so(const TrialRows<Real>& rows, Real* trials) {
  for (std::uint32_t i = 0; i < rows.population; ++i)
    for (std::size_t j = 0; j < rows.length; j += lane_block)
      make_block<Real, has_second, has_bounds>(rows, i, j, trials + i * rows.length + j);
}

template <class Real>
[[gnu::always_inline]] inline void make_rows_of(const TrialRows<Real>& rows, Real* trials) {
  if (rows.second_plus && rows.lower) return make_rows_so<Real, true, true>(rows, trials);
  if (rows.second_plus) return make_rows_so<Real, true, false>(rows, trials);
  if (rows.lower) return make_rows_so<Real, false, true>(rows, trials);
  make_rows_so<Real, false, false>(rows, trials);
}

template <class Real>
[[gnu::always_inline]] inline void find_outside_of(const Real* __restrict trials, std::size_t length,
                                                   std::uint32_t population, const Real* __restrict lower,
                                                   const Real* __restrict upper, std::uint8_t* __restrict outside) {
  for (std::uint32_t i = 0; i < population; ++i) {
    std::uint32_t any = 0;
    for (std::size_t j = 0; j < length; j += lane_block)
      for (std::size_t l = j; l < j + lane_block; ++l) {
        const Real parameter = trials[i * length + l];
        any |= parameter >= lower[l] && parameter <= upper[l] ? 0U : 1U;
      }
    outside[i] = static_cast<std::uint8_t>(any);
  }
}

template <class Real>
[[gnu::always_inline]] inline void replace_rows_of(const Selection<Real>& selection, std::size_t length) {
  const Real* const __restrict trials = selection.trials;
  const Real* const __restrict trial_values = selection.trial_values;
  Real* const __restrict vectors = selection.vectors;
  Real* const __restrict values = selection.values;
  for (std::uint32_t i = 0; i < selection.population; ++i) {
    if (!(trial_values[i] < values[i])) continue;
    values[i] = trial_values[i];
    for (std::size_t j = i * length; j < (i + 1) * length; j += lane_block)
      for (std::size_t l = j; l < j + lane_block; ++l) vectors[l] = trials[l];
  }
}

template <class Real>
void transpose_plainly(const Real* rows, std::size_t count, std::size_t length, std::size_t parameters, Real* columns) {
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < parameters; ++j) columns[j * count + i] = rows[i * length + j];
}

#ifdef __x86_64__

// Eight rows and eight columns: pairs, then fours, then halves.
[[gnu::always_inline]] CLOPT_AVX2 inline void transpose_block(const float* rows, std::size_t length, float* columns,
                                                              std::size_t count) {
  __m256 r[8];
  for (std::size_t i = 0; i < 8; ++i) r[i] = _mm256_loadu_ps(rows + i * length);
  __m256 pairs[8];
  for (std::size_t i = 0; i < 8; i += 2) {
    pairs[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
    pairs[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
  }
  __m256 fours[8];
  for (std::size_t i = 0; i < 8; i += 4)
    for (std::size_t n = 0; n < 2; ++n) {
      fours[i + 2 * n] = _mm256_shuffle_ps(pairs[i + n], pairs[i + 2 + n], 0x44);
      fours[i + 2 * n + 1] = _mm256_shuffle_ps(pairs[i + n], pairs[i + 2 + n], 0xEE);
    }
  for (std::size_t j = 0; j < 4; ++j) {
    _mm256_storeu_ps(columns + j * count, _mm256_permute2f128_ps(fours[j], fours[4 + j], 0x20));
    _mm256_storeu_ps(columns + (4 + j) * count, _mm256_permute2f128_ps(fours[j], fours[4 + j], 0x31));
  }
}

CLOPT_AVX2 void transpose_avx2(const float* rows, std::size_t count, std::size_t length, std::size_t parameters,
                               float* columns) {
  for (std::size_t i = 0; i < count; i += 8)
    for (std::size_t j = 0; j < parameters; j += 8)
      transpose_block(rows + i * length + j, length, columns + j * count + i, count);
}

#endif

}  // namespace

void random_words(const LaneAddress& at, std::uint32_t draw, std::size_t count, std::uint32_t* words) {
  static const Words best = best_words();
  best(at, draw, count, words);
}

namespace {

CLOPT_VECTORIZE(void, draw_three_portably,
                (const std::uint32_t* __restrict words, std::size_t count, std::uint32_t population,
                 std::uint32_t dimensions, std::uint32_t* __restrict drawn),
                (words, count, population, dimensions, drawn)) {
  using shared::uniform_below;
  for (std::size_t i = 0; i < count; ++i) {
    const auto own = static_cast<std::uint32_t>(i);
    const auto word = words[i];
    const auto other_word = words[count + i];
    auto r1 = uniform_below(word, population - 1);
    r1 += r1 >= own ? 1 : 0;
    auto first = std::min(own, r1);
    auto second = std::max(own, r1);
    auto r2 = uniform_below(word * (population - 1), population - 2);
    r2 += r2 >= first ? 1 : 0;
    r2 += r2 >= second ? 1 : 0;
    const auto third = std::max(second, r2);
    second = std::max(first, std::min(second, r2));
    first = std::min(first, r2);
    auto r3 = uniform_below(other_word, population - 3);
    r3 += r3 >= first ? 1 : 0;
    r3 += r3 >= second ? 1 : 0;
    r3 += r3 >= third ? 1 : 0;
    drawn[i] = r1;
    drawn[count + i] = r2;
    drawn[2 * count + i] = r3;
    drawn[3 * count + i] = uniform_below(other_word * (population - 3), dimensions);
  }
}

CLOPT_VECTORIZE(void, draw_taken_portably,
                (const GroupWords& words, std::size_t count, std::uint32_t* __restrict taken), (words, count, taken)) {
  const auto chance = shared::evolution_chance(words.probability);
  for (std::size_t i = 0; i < count; ++i) {
    auto coins = shared::evolution_coins_of(words.even[i], words.odd[i], words.probability);
    std::uint32_t bits = 0;
    for (std::uint32_t n = 0; n < EVOLUTION_GROUP; ++n) {
      coins = shared::evolution_toss(coins, chance);
      bits |= coins.taken << n;
    }
    taken[i] = bits;
  }
}

}  // namespace

void draw_three(const std::uint32_t* words, std::size_t count, std::uint32_t population, std::uint32_t dimensions,
                std::uint32_t* drawn) {
  if (has_columns()) return draw_three_in_columns(words, count, population, dimensions, drawn);
  draw_three_portably(words, count, population, dimensions, drawn);
}

void draw_taken(const GroupWords& words, std::size_t count, std::uint32_t* taken) {
  if (has_columns()) return draw_taken_in_columns(words, count, taken);
  draw_taken_portably(words, count, taken);
}

CLOPT_VECTORIZE(void, make_rows, (const TrialRows<float>& rows, float* trials), (rows, trials)) {
  make_rows_of(rows, trials);
}
CLOPT_VECTORIZE(void, make_rows, (const TrialRows<double>& rows, double* trials), (rows, trials)) {
  make_rows_of(rows, trials);
}

CLOPT_VECTORIZE(void, find_outside,
                (const float* trials, std::size_t length, std::uint32_t population, const float* lower,
                 const float* upper, std::uint8_t* outside),
                (trials, length, population, lower, upper, outside)) {
  find_outside_of(trials, length, population, lower, upper, outside);
}
CLOPT_VECTORIZE(void, find_outside,
                (const double* trials, std::size_t length, std::uint32_t population, const double* lower,
                 const double* upper, std::uint8_t* outside),
                (trials, length, population, lower, upper, outside)) {
  find_outside_of(trials, length, population, lower, upper, outside);
}

CLOPT_VECTORIZE(void, replace_rows, (const Selection<float>& selection, std::size_t length), (selection, length)) {
  replace_rows_of(selection, length);
}
CLOPT_VECTORIZE(void, replace_rows, (const Selection<double>& selection, std::size_t length), (selection, length)) {
  replace_rows_of(selection, length);
}

void transpose(const float* rows, std::size_t count, std::size_t length, std::size_t parameters, float* columns) {
#ifdef __x86_64__
  if (uses_avx2()) return transpose_avx2(rows, count, length, parameters, columns);
#endif
  transpose_plainly(rows, count, length, parameters, columns);
}

void transpose(const double* rows, std::size_t count, std::size_t length, std::size_t parameters, double* columns) {
  transpose_plainly(rows, count, length, parameters, columns);
}

}  // namespace clopt::openmp::differential_evolution
