/// \file
/// make_rows() in vectors of 512 bits. Only for processors with AVX-512.
#include "rows_avx512.hpp"

#include <algorithm>

#include <openmp/simd/intrinsics.hpp>

#ifdef __x86_64__

namespace clopt::openmp::differential_evolution {
namespace {

#define ROWS_TARGET __attribute__((target("avx512f")))

struct Floats512 {
  using Vector = __m512;
  static constexpr std::size_t lanes = 16;
  [[gnu::always_inline]] ROWS_TARGET static inline Vector load(const float* from) { return _mm512_loadu_ps(from); }
  [[gnu::always_inline]] ROWS_TARGET static inline void store(float* to, Vector x) { _mm512_storeu_ps(to, x); }
  [[gnu::always_inline]] ROWS_TARGET static inline Vector set(float x) { return _mm512_set1_ps(x); }
  [[gnu::always_inline]] ROWS_TARGET static inline Vector mutant(Vector base, Vector weight, Vector plus,
                                                                 Vector minus) {
    return _mm512_add_ps(base, _mm512_mul_ps(weight, _mm512_sub_ps(plus, minus)));
  }
  // Both return their second operand where one is NaN.
  [[gnu::always_inline]] ROWS_TARGET static inline Vector clip(Vector x, Vector lower, Vector upper) {
    return _mm512_min_ps(_mm512_max_ps(x, lower), upper);
  }
  [[gnu::always_inline]] ROWS_TARGET static inline Vector choose(std::uint32_t bits, Vector own, Vector taken) {
    return _mm512_mask_mov_ps(own, static_cast<__mmask16>(bits), taken);
  }
};

struct Doubles512 {
  using Vector = __m512d;
  static constexpr std::size_t lanes = 8;
  [[gnu::always_inline]] ROWS_TARGET static inline Vector load(const double* from) { return _mm512_loadu_pd(from); }
  [[gnu::always_inline]] ROWS_TARGET static inline void store(double* to, Vector x) { _mm512_storeu_pd(to, x); }
  [[gnu::always_inline]] ROWS_TARGET static inline Vector set(double x) { return _mm512_set1_pd(x); }
  [[gnu::always_inline]] ROWS_TARGET static inline Vector mutant(Vector base, Vector weight, Vector plus,
                                                                 Vector minus) {
    return _mm512_add_pd(base, _mm512_mul_pd(weight, _mm512_sub_pd(plus, minus)));
  }
  [[gnu::always_inline]] ROWS_TARGET static inline Vector clip(Vector x, Vector lower, Vector upper) {
    return _mm512_min_pd(_mm512_max_pd(x, lower), upper);
  }
  [[gnu::always_inline]] ROWS_TARGET static inline Vector choose(std::uint32_t bits, Vector own, Vector taken) {
    return _mm512_mask_mov_pd(own, static_cast<__mmask8>(bits), taken);
  }
};

#include "rows_code.hpp"

}  // namespace

void make_rows_avx512(const TrialRows<float>& rows, float* trials) { make_rows_of<Floats512>(rows, trials); }
void make_rows_avx512(const TrialRows<double>& rows, double* trials) { make_rows_of<Doubles512>(rows, trials); }

}  // namespace clopt::openmp::differential_evolution

#endif
