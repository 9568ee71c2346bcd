/// \file
/// A generation of differential evolution with many individuals or many parameters in a vector at once.
#pragma once

#include <shared/differential_evolution/crossover.h>
#include <differential_evolution/operations.hpp>
#include <openmp/simd/philox.hpp>
#include <openmp/team.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clopt::openmp::differential_evolution {

/// Parameters are handled in blocks of this size; vectors are padded to a multiple of it.
inline constexpr std::size_t lane_block = 16;
constexpr std::size_t padded(std::size_t count) { return (count + lane_block - 1) / lane_block * lane_block; }

/// Individuals in whole vectors of 32-bit numbers; arrays are that much longer than the population.
std::size_t padded_individuals(std::size_t count);

/// From the beginning of a cache's line on: a vector that lies across two lines is read at half the rate.
template <class Number>
using Lines = std::vector<Number, LineAllocator<Number>>;

/// Where random words are drawn.
struct LaneAddress {
  std::uint64_t seed;
  std::uint32_t problem;
  std::uint32_t generation;
};

/// The blocks of a draw for individuals 0 to count - 1, as padded_individuals() has them: word w of individual i is
/// words[w * count + i].
inline void random_words(const LaneAddress& at, std::uint32_t draw, std::size_t count, std::uint32_t* words) {
  openmp::random_words(at.seed, at.problem, at.generation, draw, count, words);
}

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

/// The parameters of a group, and the one of each individual that is always taken, in whichever group it is.
struct TakenGroup {
  const std::uint32_t* forced;
  std::uint32_t first;
  std::uint32_t parameters;
};

/// The decisions of evolution_toss() about a group of parameters, a bit each. Bits of parameters that do not exist may
/// be set too.
void draw_taken(const GroupWords& words, const TakenGroup& group, std::size_t count, std::uint32_t* taken);

/// Individuals by the part that they take in the mutant of each individual.
struct DonorRows {
  const std::uint32_t* base;
  const std::uint32_t* plus;
  const std::uint32_t* minus;
  const std::uint32_t* second_plus;  ///< null: the strategy has one difference
  const std::uint32_t* second_minus;
};

/// What becomes of a parameter outside its bounds: it stays there, goes to the bound, or it is found.
enum class Edge { none, clip, find };

/// An individual with parameters that may be outside their bounds: bit b is about each parameter 16 g + b.
struct Outside {
  std::uint32_t individual;
  std::uint32_t bits;
};

/// What the trials of a population are made of. Vectors lie one behind the other, `length` apart, a multiple of
/// lane_block.
template <class Real>
struct TrialRows {
  const Real* vectors;
  std::size_t length;
  std::size_t dimensions;  ///< beyond them there are zeros, in trials too
  std::uint32_t population;
  std::size_t count;  ///< individuals with their padding
  DonorRows donors;
  Edge edge;
  const Real* lower;
  const Real* upper;
  Outside* outside;            ///< where those found are listed
  const Real* weights;         ///< F of each individual
  const std::uint32_t* taken;  ///< bit b of taken[g * count + i] is about parameter 16 g + b of individual i
};

/// Makes the trials, which lie as the vectors do. \returns how many individuals are listed.
std::size_t make_rows(const TrialRows<float>& rows, float* trials);
std::size_t make_rows(const TrialRows<double>& rows, double* trials);

/// A population and its trials, which lie alike.
template <class Real>
struct Selection {
  const Real* trials;
  const Real* trial_values;
  Real* vectors;
  Real* values;
  std::uint32_t population;
};

/// Puts the trials that are better in the places of the vectors, and their values. \returns how many trial values are
/// no numbers.
std::uint32_t replace_rows(const Selection<float>& selection, std::size_t length);
std::uint32_t replace_rows(const Selection<double>& selection, std::size_t length);

/// columns[j * count + i] = rows[i * length + j] for the first parameters, and count and length as in TrialRows.
void transpose(const float* rows, std::size_t count, std::size_t length, std::size_t parameters, float* columns);
void transpose(const double* rows, std::size_t count, std::size_t length, std::size_t parameters, double* columns);

}  // namespace clopt::openmp::differential_evolution
