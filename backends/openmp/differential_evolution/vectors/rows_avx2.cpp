#include "rows_avx2.hpp"

#include <algorithm>

#include <openmp/simd/intrinsics.hpp>

#ifdef __x86_64__

namespace clopt::openmp::differential_evolution {
namespace {

#define CLOPT_AVX2 __attribute__((target("avx2")))

constexpr std::size_t words_in_vector = 8;

[[gnu::always_inline]] CLOPT_AVX2 inline __m256i whole_lanes(std::uint32_t number) {
  return _mm256_set1_epi32(static_cast<int>(number));
}

// The halves of the products of 32-bit lanes with a number.
struct Products {
  __m256i high;
  __m256i low;
};
[[gnu::always_inline]] CLOPT_AVX2 inline Products products(__m256i x, __m256i factor) {
  const __m256i even = _mm256_mul_epu32(x, factor);
  const __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(x, 32), factor);
  return {_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA),
          _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xAA)};
}
[[gnu::always_inline]] CLOPT_AVX2 inline __m256i high_products(__m256i x, __m256i factor) {
  return products(x, factor).high;
}

// Counts on where an individual is not below one that is taken. Both are far below 2^31.
[[gnu::always_inline]] CLOPT_AVX2 inline __m256i past(__m256i individual, __m256i taken) {
  return _mm256_add_epi32(_mm256_add_epi32(individual, whole_lanes(1)), _mm256_cmpgt_epi32(taken, individual));
}

/// What draw_three() needs of vectors of words.
struct Words {
  static constexpr std::size_t lanes = words_in_vector;
  [[gnu::always_inline]] CLOPT_AVX2 static inline __m256i numbers() {
    return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  }
  [[gnu::always_inline]] CLOPT_AVX2 static inline __m256i load(const std::uint32_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  [[gnu::always_inline]] CLOPT_AVX2 static inline void store(std::uint32_t* to, __m256i x) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), x);
  }
  [[gnu::always_inline]] CLOPT_AVX2 static inline __m256i least(__m256i x, __m256i y) { return _mm256_min_epu32(x, y); }
  [[gnu::always_inline]] CLOPT_AVX2 static inline __m256i greatest(__m256i x, __m256i y) {
    return _mm256_max_epu32(x, y);
  }
  [[gnu::always_inline]] CLOPT_AVX2 static inline __m256i sum(__m256i x, __m256i y) { return _mm256_add_epi32(x, y); }
};

#define DRAWS_TARGET CLOPT_AVX2
#include "draws_code.hpp"
#undef DRAWS_TARGET

// evolution_toss() of eight individuals.
struct Coins {
  __m256i word;
  __m256i range;
};
// All ones where the decision is 0.
[[gnu::always_inline]] CLOPT_AVX2 inline __m256i toss(Coins& coins, __m256i share) {
  const __m256i not_taken = _mm256_cmpeq_epi32(_mm256_max_epu32(coins.word, share), coins.word);
  coins.word = _mm256_sub_epi32(coins.word, _mm256_and_si256(not_taken, share));
  coins.range = _mm256_blendv_epi8(share, _mm256_sub_epi32(coins.range, share), not_taken);
  return not_taken;
}

/// What make_rows() needs of vectors of floats.
struct Floats {
  using Real = float;
  using Vector = __m256;
  static constexpr std::size_t lanes = 8;
  [[gnu::always_inline]] CLOPT_AVX2 static inline Vector load(const float* from) { return _mm256_loadu_ps(from); }
  [[gnu::always_inline]] CLOPT_AVX2 static inline void store(float* to, Vector x) { _mm256_storeu_ps(to, x); }
  [[gnu::always_inline]] CLOPT_AVX2 static inline Vector set(float x) { return _mm256_set1_ps(x); }
  [[gnu::always_inline]] CLOPT_AVX2 static inline Vector mutant(Vector base, Vector weight, Vector plus, Vector minus) {
    return _mm256_add_ps(base, _mm256_mul_ps(weight, _mm256_sub_ps(plus, minus)));
  }
  // Both return their second operand where one is NaN.
  [[gnu::always_inline]] CLOPT_AVX2 static inline Vector clip(Vector x, Vector lower, Vector upper) {
    return _mm256_min_ps(_mm256_max_ps(x, lower), upper);
  }
  // `taken` in the lanes whose bits are set; `bits` are those of the first lane and on.
  [[gnu::always_inline]] CLOPT_AVX2 static inline Vector choose(std::uint32_t bits, Vector own, Vector taken) {
    const __m256i lane_bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i mask =
        _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(static_cast<int>(bits)), lane_bits), lane_bits);
    return _mm256_blendv_ps(own, taken, _mm256_castsi256_ps(mask));
  }
};

struct Doubles {
  using Real = double;
  using Vector = __m256d;
  static constexpr std::size_t lanes = 4;
  [[gnu::always_inline]] CLOPT_AVX2 static inline Vector load(const double* from) { return _mm256_loadu_pd(from); }
  [[gnu::always_inline]] CLOPT_AVX2 static inline void store(double* to, Vector x) { _mm256_storeu_pd(to, x); }
  [[gnu::always_inline]] CLOPT_AVX2 static inline Vector set(double x) { return _mm256_set1_pd(x); }
  [[gnu::always_inline]] CLOPT_AVX2 static inline Vector mutant(Vector base, Vector weight, Vector plus, Vector minus) {
    return _mm256_add_pd(base, _mm256_mul_pd(weight, _mm256_sub_pd(plus, minus)));
  }
  [[gnu::always_inline]] CLOPT_AVX2 static inline Vector clip(Vector x, Vector lower, Vector upper) {
    return _mm256_min_pd(_mm256_max_pd(x, lower), upper);
  }
  [[gnu::always_inline]] CLOPT_AVX2 static inline Vector choose(std::uint32_t bits, Vector own, Vector taken) {
    const __m256i lane_bits = _mm256_setr_epi64x(1, 2, 4, 8);
    const __m256i mask = _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(bits), lane_bits), lane_bits);
    return _mm256_blendv_pd(own, taken, _mm256_castsi256_pd(mask));
  }
};

#define ROWS_TARGET CLOPT_AVX2
#include "rows_code.hpp"
#undef ROWS_TARGET

// Eight rows and up to four columns: pairs, then fours.
[[gnu::always_inline]] CLOPT_AVX2 inline void transpose_four(const float* rows, std::size_t length, float* columns,
                                                             std::size_t count, std::size_t used) {
  __m256 r[4];
  for (std::size_t i = 0; i < 4; ++i)
    r[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(rows + i * length)),
                                _mm_loadu_ps(rows + (i + 4) * length), 1);
  const __m256 low = _mm256_unpacklo_ps(r[0], r[1]);
  const __m256 next_low = _mm256_unpacklo_ps(r[2], r[3]);
  _mm256_storeu_ps(columns, _mm256_shuffle_ps(low, next_low, 0x44));
  if (used < 2) return;
  _mm256_storeu_ps(columns + count, _mm256_shuffle_ps(low, next_low, 0xEE));
  if (used < 3) return;
  const __m256 high = _mm256_unpackhi_ps(r[0], r[1]);
  const __m256 next_high = _mm256_unpackhi_ps(r[2], r[3]);
  _mm256_storeu_ps(columns + 2 * count, _mm256_shuffle_ps(high, next_high, 0x44));
  if (used < 4) return;
  _mm256_storeu_ps(columns + 3 * count, _mm256_shuffle_ps(high, next_high, 0xEE));
}

// Four rows and up to four columns.
[[gnu::always_inline]] CLOPT_AVX2 inline void transpose_four(const double* rows, std::size_t length, double* columns,
                                                             std::size_t count, std::size_t used) {
  const __m256d r0 = _mm256_loadu_pd(rows);
  const __m256d r1 = _mm256_loadu_pd(rows + length);
  const __m256d r2 = _mm256_loadu_pd(rows + 2 * length);
  const __m256d r3 = _mm256_loadu_pd(rows + 3 * length);
  const __m256d low = _mm256_unpacklo_pd(r0, r1);
  const __m256d next_low = _mm256_unpacklo_pd(r2, r3);
  _mm256_storeu_pd(columns, _mm256_permute2f128_pd(low, next_low, 0x20));
  if (used > 2) _mm256_storeu_pd(columns + 2 * count, _mm256_permute2f128_pd(low, next_low, 0x31));
  if (used < 2) return;
  const __m256d high = _mm256_unpackhi_pd(r0, r1);
  const __m256d next_high = _mm256_unpackhi_pd(r2, r3);
  _mm256_storeu_pd(columns + count, _mm256_permute2f128_pd(high, next_high, 0x20));
  if (used > 3) _mm256_storeu_pd(columns + 3 * count, _mm256_permute2f128_pd(high, next_high, 0x31));
}

template <std::size_t together, class Real>
[[gnu::always_inline]] CLOPT_AVX2 inline void transpose_so(const Real* rows, std::size_t count, std::size_t length,
                                                           std::size_t parameters, Real* columns) {
  for (std::size_t i = 0; i < count; i += together)
    for (std::size_t j = 0; j < parameters; j += 4)
      transpose_four(rows + i * length + j, length, columns + j * count + i, count, parameters - j);
}

}  // namespace

void draw_three_avx2(const std::uint32_t* words, std::size_t count, std::uint32_t population, std::uint32_t dimensions,
                     std::uint32_t* drawn) {
  draw_three_of<Words>(words, count, population, dimensions, drawn);
}

CLOPT_AVX2 void draw_taken_avx2(const GroupWords& words, const TakenGroup& group, std::size_t count,
                                std::uint32_t* taken) {
  const auto chance_word = shared::evolution_chance(words.probability);
  const __m256i chance = whole_lanes(chance_word);
  const bool certain = words.probability >= BERNOULLI_ONE;
  const __m256i whole = _mm256_set1_epi32(-1);
  // The first decisions of both words divide the whole range.
  const __m256i first_share = high_products(whole, chance);
  const __m256i first = whole_lanes(group.first);
  for (std::size_t i = 0; i < count; i += words_in_vector) {
    Coins coins{certain ? _mm256_setzero_si256() : Words::load(words.even + i), whole};
    Coins other{certain ? _mm256_setzero_si256() : Words::load(words.odd + i), whole};
    // No bit where the parameter is in another group.
    __m256i bits = _mm256_sllv_epi32(whole_lanes(1), _mm256_sub_epi32(Words::load(group.forced + i), first));
    __m256i bit = whole_lanes(1);
    for (std::uint32_t n = 0; n < group.parameters; n += 2) {
      const __m256i share = n == 0 ? first_share : high_products(coins.range, chance);
      bits = _mm256_or_si256(bits, _mm256_andnot_si256(toss(coins, share), bit));
      bit = _mm256_add_epi32(bit, bit);
      const __m256i other_share = n == 0 ? first_share : high_products(other.range, chance);
      bits = _mm256_or_si256(bits, _mm256_andnot_si256(toss(other, other_share), bit));
      bit = _mm256_add_epi32(bit, bit);
    }
    Words::store(taken + i, bits);
  }
}

void make_rows_avx2(const TrialRows<float>& rows, float* trials) { make_rows_of<Floats>(rows, trials); }
void make_rows_avx2(const TrialRows<double>& rows, double* trials) { make_rows_of<Doubles>(rows, trials); }

CLOPT_AVX2 void transpose_avx2(const float* rows, std::size_t count, std::size_t length, std::size_t parameters,
                               float* columns) {
  transpose_so<8>(rows, count, length, parameters, columns);
}

CLOPT_AVX2 void transpose_avx2(const double* rows, std::size_t count, std::size_t length, std::size_t parameters,
                               double* columns) {
  transpose_so<4>(rows, count, length, parameters, columns);
}

}  // namespace clopt::openmp::differential_evolution

#endif
