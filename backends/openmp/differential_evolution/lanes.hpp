/// \file
/// A generation of differential evolution with many individuals or many parameters in a vector at once.
#pragma once

#include <shared/differential_evolution/crossover.h>
#include <differential_evolution/operations.hpp>

#include <cstddef>
#include <cstdint>

namespace clopt::openmp::differential_evolution {

/// Individuals are handled in blocks of so many; arrays are that much longer than the population.
inline constexpr std::size_t lane_block = 16;
constexpr std::size_t padded(std::size_t count) { return (count + lane_block - 1) / lane_block * lane_block; }

/// Where random words are drawn.
struct LaneAddress {
  std::uint64_t seed;
  std::uint32_t problem;
  std::uint32_t generation;
};

/// The blocks of a draw for individuals 0 to count - 1, a multiple of lane_block: word w of individual i is
/// words[w * count + i].
void random_words(const LaneAddress& at, std::uint32_t draw, std::size_t count, std::uint32_t* words);

/// evolution_draw() of three individuals, at most EVOLUTION_MOST_IN_A_WORD: r1, r2, r3 and the parameter that is always
/// taken, from the words of EVOLUTION_DRAW_INDICES.
void draw_three(const std::uint32_t* words, std::size_t count, std::uint32_t population, std::uint32_t dimensions,
                std::uint32_t* drawn);

/// The words of each individual that decide about a group of EVOLUTION_GROUP parameters, and the probability that each
/// comes from the mutant, in units of 2^-32.
struct GroupWords {
  const std::uint32_t* even;
  const std::uint32_t* odd;
  std::uint64_t probability;
};

/// The decisions of evolution_toss() about a group of parameters, a bit each.
void draw_taken(const GroupWords& words, std::size_t count, std::uint32_t* taken);

/// What the trials of a population are made of. Vectors lie one behind the other, `length` apart, a multiple of
/// lane_block; individuals are named by arrays, one for each part that they take in a mutant.
template <class Real>
struct TrialRows {
  const Real* vectors;
  std::size_t length;
  std::uint32_t population;
  const std::uint32_t* base;
  const std::uint32_t* plus;
  const std::uint32_t* minus;
  const std::uint32_t* second_plus;  ///< null: the strategy has one difference
  const std::uint32_t* second_minus;
  const Real* lower;  ///< null: parameters may leave their bounds
  const Real* upper;
  Real weight;
  const std::uint16_t* taken;  ///< for each individual a bit for each parameter, 16 in a word
};

/// Makes the trials, which lie as the vectors do.
void make_rows(const TrialRows<float>& rows, float* trials);
void make_rows(const TrialRows<double>& rows, double* trials);

/// Finds for each of `population` trials whether some parameter is outside its bounds.
void find_outside(const float* trials, std::size_t length, std::uint32_t population, const float* lower,
                  const float* upper, std::uint8_t* outside);
void find_outside(const double* trials, std::size_t length, std::uint32_t population, const double* lower,
                  const double* upper, std::uint8_t* outside);

/// A population and its trials, which lie alike.
template <class Real>
struct Selection {
  const Real* trials;
  const Real* trial_values;
  Real* vectors;
  Real* values;
  std::uint32_t population;
};

/// Puts the trials that are better in the places of the vectors, and their values.
void replace_rows(const Selection<float>& selection, std::size_t length);
void replace_rows(const Selection<double>& selection, std::size_t length);

/// columns[j * count + i] = rows[i * length + j] for the first parameters; count and length are multiples of
/// lane_block.
void transpose(const float* rows, std::size_t count, std::size_t length, std::size_t parameters, float* columns);
void transpose(const double* rows, std::size_t count, std::size_t length, std::size_t parameters, double* columns);

}  // namespace clopt::openmp::differential_evolution
