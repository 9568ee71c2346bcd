#include "shade.hpp"

#include <shared/differential_evolution/arithmetic.h>
#include <support/numbers/vectorize.hpp>

#include <algorithm>

namespace clopt::openmp::differential_evolution {
namespace {

// The places are looked up before the rest, which is arithmetic alone.
template <class Real>
[[gnu::always_inline]] inline void draw_controls_of(const std::uint32_t* __restrict words, std::size_t count,
                                                    const Remembered<Real>& remembered, Real* __restrict weights,
                                                    Real* __restrict crossovers) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto place = shared::uniform_below(words[i], remembered.places);
    weights[i] = remembered.weights[place];
    crossovers[i] = remembered.crossovers[place];
  }
  for (std::size_t i = 0; i < count; ++i) weights[i] = shared::evolution_tried_weight(words[3 * count + i], weights[i]);
  for (std::size_t i = 0; i < count; ++i)
    crossovers[i] = shared::evolution_shade_crossover({0, words[count + i], words[2 * count + i], 0}, crossovers[i]);
}

// Each value is compared with all others at once: of some hundred, that takes a fraction of the time of sorting.
template <class Real>
[[gnu::always_inline]] inline void rank_values_of(const Real* __restrict values, std::uint32_t alive,
                                                  std::uint32_t count, std::uint32_t* __restrict ranks) {
  std::fill_n(ranks, count, 0U);
  for (std::uint32_t j = 0; j < alive; ++j) {
    const Real value = values[j];
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t is_less = value < values[i] ? 1 : 0;
      const std::uint32_t is_equal = value == values[i] ? 1 : 0;
      const std::uint32_t is_before = j < i ? 1 : 0;
      ranks[i] += is_less | (is_equal & is_before);
    }
  }
}

}  // namespace

CLOPT_VECTORIZE(void, rank_values,
                (const float* values, std::uint32_t alive, std::uint32_t count, std::uint32_t* ranks),
                (values, alive, count, ranks)) {
  rank_values_of(values, alive, count, ranks);
}
CLOPT_VECTORIZE(void, rank_values,
                (const double* values, std::uint32_t alive, std::uint32_t count, std::uint32_t* ranks),
                (values, alive, count, ranks)) {
  rank_values_of(values, alive, count, ranks);
}

CLOPT_VECTORIZE(void, draw_with_leaders,
                (const LeaderWords& all_words, std::size_t count, const LeaderRange& all,
                 std::uint32_t* __restrict drawn),
                (all_words, count, all, drawn)) {
  using shared::uniform_below;
  const auto range = all;
  const auto* const __restrict words = all_words.first;
  const auto* const __restrict leader_words = all_words.second;
  const auto* const __restrict more_words = all_words.third;
  const auto last = static_cast<std::uint32_t>(count);
  const bool has_more = range.alive > EVOLUTION_MOST_IN_A_WORD;
  for (std::uint32_t own = 0; own < last; ++own) {
    const auto word = words[own];
    const auto second_word = has_more ? more_words[own] : word * (range.alive - 1);
    auto r1 = uniform_below(word, range.alive - 1);
    r1 += r1 >= own ? 1U : 0U;
    auto r2 = uniform_below(second_word, range.alive - 2 + range.archived);
    r2 += r2 >= (own < r1 ? own : r1) ? 1U : 0U;
    r2 += r2 >= (own < r1 ? r1 : own) ? 1U : 0U;
    drawn[own] = r1;
    drawn[count + own] = r2 < range.alive ? r2 : range.first_archived + (r2 - range.alive);
  }
  for (std::size_t i = 0; i < count; ++i)
    drawn[3 * count + i] =
        uniform_below(has_more ? more_words[count + i] : words[count + i] * (range.alive - 3), range.dimensions);
  for (std::size_t i = 0; i < count; ++i)
    drawn[2 * count + i] = uniform_below(
        leader_words[2 * count + i], shared::evolution_leaders(range.alive, range.adapt, leader_words[3 * count + i]));
}

CLOPT_VECTORIZE(void, draw_controls,
                (const std::uint32_t* words, std::size_t count, const Remembered<float>& remembered, float* weights,
                 float* crossovers),
                (words, count, remembered, weights, crossovers)) {
  draw_controls_of(words, count, remembered, weights, crossovers);
}
CLOPT_VECTORIZE(void, draw_controls,
                (const std::uint32_t* words, std::size_t count, const Remembered<double>& remembered, double* weights,
                 double* crossovers),
                (words, count, remembered, weights, crossovers)) {
  draw_controls_of(words, count, remembered, weights, crossovers);
}

CLOPT_VECTORIZE(void, draw_taken_each,
                (const OwnWords& words, const TakenGroup& group, std::size_t count, std::uint32_t* __restrict taken),
                (words, group, count, taken)) {
  for (std::size_t i = 0; i < count; i += lane_block) {
    std::uint32_t word[2][lane_block];
    std::uint32_t range[2][lane_block];
    std::uint32_t chance[lane_block];
    std::uint32_t bits[lane_block];
    for (std::size_t l = 0; l < lane_block; ++l) {
      const auto place = group.forced[i + l] - group.first;
      bits[l] = place < EVOLUTION_GROUP ? 1U << (place % 32) : 0U;
      chance[l] = words.chances[i + l];
      word[0][l] = words.even[i + l] & words.masks[i + l];
      word[1][l] = words.odd[i + l] & words.masks[i + l];
      range[0][l] = range[1][l] = ~std::uint32_t{0};
    }
    // evolution_toss() of all.
    for (std::uint32_t n = 0; n < group.parameters; ++n) {
      auto* const own_word = word[n % 2];
      auto* const own_range = range[n % 2];
      for (std::size_t l = 0; l < lane_block; ++l) {
        const auto share = shared::mul_hi(own_range[l], chance[l]);
        const bool is_taken = own_word[l] < share;
        own_range[l] = is_taken ? share : own_range[l] - share;
        own_word[l] = is_taken ? own_word[l] : own_word[l] - share;
        bits[l] |= is_taken ? 1U << n : 0U;
      }
    }
    for (std::size_t l = 0; l < lane_block; ++l) taken[i + l] = bits[l];
  }
}

}  // namespace clopt::openmp::differential_evolution
