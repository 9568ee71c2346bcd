#include "lanes.hpp"

#include "columns.hpp"
#include "rows_avx2.hpp"
#include "rows_avx512.hpp"

#include <support/numbers/vectorize.hpp>

#include <algorithm>
#include <cstring>

namespace clopt::openmp::differential_evolution {
namespace {

// Sixteen parameters of a trial; bit l of the mask decides about lane l.
template <class Real, bool has_second, bool has_bounds>
[[gnu::always_inline]] inline void make_block(const TrialRows<Real>& rows, std::uint32_t i, std::size_t j,
                                              Real* __restrict trial) {
  using Integer = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  const auto row = [&](std::uint32_t individual) { return rows.vectors + individual * rows.length + j; };
  const Integer mask = rows.taken[j / lane_block * rows.count + i];
  const Real weight = rows.weights[i];
  const Real* const own = row(i);
  const Real* const base = row(rows.donors.base[i]);
  const Real* const plus = row(rows.donors.plus[i]);
  const Real* const minus = row(rows.donors.minus[i]);
  const Real* const second_plus = has_second ? row(rows.donors.second_plus[i]) : nullptr;
  const Real* const second_minus = has_second ? row(rows.donors.second_minus[i]) : nullptr;
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
void make_rows_so(const TrialRows<Real>& rows, Real* trials) {
  for (std::uint32_t i = 0; i < rows.population; ++i)
    for (std::size_t j = 0; j < rows.length; j += lane_block)
      make_block<Real, has_second, has_bounds>(rows, i, j, trials + i * rows.length + j);
}

template <class Real>
void make_rows_of(const TrialRows<Real>& rows, Real* trials) {
  if (rows.donors.second_plus && rows.lower) return make_rows_so<Real, true, true>(rows, trials);
  if (rows.donors.second_plus) return make_rows_so<Real, true, false>(rows, trials);
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

template <class Real>
void transpose_plainly(const Real* rows, std::size_t count, std::size_t length, std::size_t parameters, Real* columns) {
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < parameters; ++j) columns[j * count + i] = rows[i * length + j];
}

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
                (const GroupWords& words, const TakenGroup& group, std::size_t count, std::uint32_t* __restrict taken),
                (words, group, count, taken)) {
  const auto chance = shared::evolution_chance(words.probability);
  for (std::size_t i = 0; i < count; ++i) {
    auto coins = shared::evolution_coins_of(words.even[i], words.odd[i], words.probability);
    const auto place = group.forced[i] - group.first;
    std::uint32_t bits = place < EVOLUTION_GROUP ? 1U << place : 0U;
    for (std::uint32_t n = 0; n < group.parameters; ++n) {
      coins = shared::evolution_toss(coins, chance);
      bits |= coins.taken << n;
    }
    taken[i] = bits;
  }
}

}  // namespace

std::size_t padded_individuals(std::size_t count) {
  const std::size_t block = uses_avx512() ? 16 : 8;
  return (count + block - 1) / block * block;
}

void draw_three(const std::uint32_t* words, std::size_t count, std::uint32_t population, std::uint32_t dimensions,
                std::uint32_t* drawn) {
#ifdef __x86_64__
  if (has_columns()) return draw_three_in_columns(words, count, population, dimensions, drawn);
  if (uses_avx2()) return draw_three_avx2(words, count, population, dimensions, drawn);
#endif
  draw_three_portably(words, count, population, dimensions, drawn);
}

void draw_taken(const GroupWords& words, const TakenGroup& group, std::size_t count, std::uint32_t* taken) {
#ifdef __x86_64__
  if (has_columns()) return draw_taken_in_columns(words, group, count, taken);
  if (uses_avx2()) return draw_taken_avx2(words, group, count, taken);
#endif
  draw_taken_portably(words, group, count, taken);
}

void make_rows(const TrialRows<float>& rows, float* trials) {
#ifdef __x86_64__
  if (uses_avx512()) return make_rows_avx512(rows, trials);
  if (uses_avx2()) return make_rows_avx2(rows, trials);
#endif
  make_rows_of(rows, trials);
}
void make_rows(const TrialRows<double>& rows, double* trials) {
#ifdef __x86_64__
  if (uses_avx512()) return make_rows_avx512(rows, trials);
  if (uses_avx2()) return make_rows_avx2(rows, trials);
#endif
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

CLOPT_VECTORIZE(std::uint32_t, replace_rows, (const Selection<float>& selection, std::size_t length),
                (selection, length)) {
  return replace_rows_of(selection, length);
}
CLOPT_VECTORIZE(std::uint32_t, replace_rows, (const Selection<double>& selection, std::size_t length),
                (selection, length)) {
  return replace_rows_of(selection, length);
}

void transpose(const float* rows, std::size_t count, std::size_t length, std::size_t parameters, float* columns) {
#ifdef __x86_64__
  if (uses_avx2()) return transpose_avx2(rows, count, length, parameters, columns);
#endif
  transpose_plainly(rows, count, length, parameters, columns);
}

void transpose(const double* rows, std::size_t count, std::size_t length, std::size_t parameters, double* columns) {
#ifdef __x86_64__
  if (uses_avx2()) return transpose_avx2(rows, count, length, parameters, columns);
#endif
  transpose_plainly(rows, count, length, parameters, columns);
}

}  // namespace clopt::openmp::differential_evolution
