#include "lanes.hpp"

#include <support/numbers/vectorize.hpp>

#include <algorithm>
#include <cstring>

#define CLOPT_CODE <openmp/differential_evolution/vectors/lanes_code.hpp>
#include <openmp/simd/each_set.hpp>

namespace clopt::openmp::differential_evolution {
namespace {

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
[[gnu::always_inline]] inline std::uint32_t replace_rows_of(const Selection<Real>& selection, std::size_t length) {
  const Real* const __restrict trials = selection.trials;
  const Real* const __restrict trial_values = selection.trial_values;
  Real* const __restrict vectors = selection.vectors;
  Real* const __restrict values = selection.values;
  std::uint32_t invalid = 0;
  for (std::uint32_t i = 0; i < selection.population; ++i) invalid += trial_values[i] == trial_values[i] ? 0U : 1U;
  for (std::uint32_t i = 0; i < selection.population; ++i) {
    if (!(trial_values[i] < values[i])) continue;
    values[i] = trial_values[i];
    // Of a size that the compiler knows, so that it is not a call.
    for (std::size_t j = i * length; j < (i + 1) * length; j += lane_block)
      std::memcpy(vectors + j, trials + j, lane_block * sizeof(Real));
  }
  return invalid;
}

}  // namespace

std::size_t padded_individuals(std::size_t count) {
  const std::size_t block = uses_avx512() ? 16 : 8;
  return (count + block - 1) / block * block;
}

void draw_three(const std::uint32_t* words, std::size_t count, std::uint32_t population, std::uint32_t dimensions,
                std::uint32_t* drawn) {
  CLOPT_BEST(draw_three)(words, count, population, dimensions, drawn);
}

void draw_taken(const GroupWords& words, const TakenGroup& group, std::size_t count, std::uint32_t* taken) {
  CLOPT_BEST(draw_taken)(words, group, count, taken);
}

void make_rows(const TrialRows<float>& rows, float* trials) { CLOPT_BEST(make_rows<float>)(rows, trials); }
void make_rows(const TrialRows<double>& rows, double* trials) { CLOPT_BEST(make_rows<double>)(rows, trials); }

void transpose(const float* rows, std::size_t count, std::size_t length, std::size_t parameters, float* columns) {
  CLOPT_BEST(transpose<float>)(rows, count, length, parameters, columns);
}
void transpose(const double* rows, std::size_t count, std::size_t length, std::size_t parameters, double* columns) {
  CLOPT_BEST(transpose<double>)(rows, count, length, parameters, columns);
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

CLOPT_VECTORIZE(std::uint32_t, replace_rows, (const Selection<float>& selection, std::size_t length),
                (selection, length)) {
  return replace_rows_of(selection, length);
}
CLOPT_VECTORIZE(std::uint32_t, replace_rows, (const Selection<double>& selection, std::size_t length),
                (selection, length)) {
  return replace_rows_of(selection, length);
}

}  // namespace clopt::openmp::differential_evolution
