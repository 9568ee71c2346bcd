/// \file
/// What SHADE and L-SHADE draw, many individuals at once.
#pragma once

#include "lanes.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace clopt::openmp::differential_evolution {

/// What current-to-pbest draws from. Arrays are as long as the population in whole blocks of lane_block.
struct LeaderRange {
  std::uint32_t alive;  ///< individuals
  std::uint32_t archived;
  std::uint32_t first_archived;  ///< the number of the first archived vector among all vectors
  std::uint32_t dimensions;
  std::uint32_t adapt;
};

/// The words of EVOLUTION_DRAW_INDICES and of the two draws after it, of which the last is for more than
/// EVOLUTION_MOST_IN_A_WORD individuals.
struct LeaderWords {
  const std::uint32_t* first;
  const std::uint32_t* second;
  const std::uint32_t* third;
};

/// evolution_draw() for current-to-pbest: r1, r2 as a number among all vectors, the rank of the leader, and the
/// parameter that is always taken, \p count of each.
void draw_with_leaders(const LeaderWords& words, std::size_t count, const LeaderRange& range, std::uint32_t* drawn);

/// The ranks of the first \p alive of \p count values, the first of equal ones first. \p count is a multiple of
/// lane_block; what fills it has ranks that mean nothing.
void rank_values(const float* values, std::uint32_t alive, std::uint32_t count, std::uint32_t* ranks);
void rank_values(const double* values, std::uint32_t alive, std::uint32_t count, std::uint32_t* ranks);

/// F and CR that are remembered: the history of each.
template <class Real>
struct Remembered {
  const Real* weights;
  const Real* crossovers;
  std::uint32_t places;
};

/// F and CR of each individual, from the words of EVOLUTION_DRAW_CONTROL. An F that is not above 0 has to be drawn
/// again.
void draw_controls(const std::uint32_t* words, std::size_t count, const Remembered<float>& remembered, float* weights,
                   float* crossovers);
void draw_controls(const std::uint32_t* words, std::size_t count, const Remembered<double>& remembered, double* weights,
                   double* crossovers);

/// The words of each individual that decide about a group of parameters, and its own probability.
struct OwnWords {
  const std::uint32_t* even;
  const std::uint32_t* odd;
  const std::uint32_t* chances;  ///< evolution_chance() of its CR
  const std::uint32_t* masks;    ///< all ones, or 0 where CR is 1
};

/// draw_taken() where each individual has a CR of its own. \param count a multiple of lane_block
void draw_taken_each(const OwnWords& words, const TakenGroup& group, std::size_t count, std::uint32_t* taken);

}  // namespace clopt::openmp::differential_evolution
