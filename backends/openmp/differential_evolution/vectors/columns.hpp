/// \file
/// A generation of a small population whose parameters are registers: donors are picked from them by permutations, and
/// all stays parameter by parameter, as objectives take it. For processors with AVX-512.
#pragma once

#include "lanes.hpp"

#include <cstddef>
#include <cstdint>

namespace clopt::openmp::differential_evolution {

/// The largest population whose columns are picked from.
inline constexpr std::size_t most_in_columns = 128;

/// Whether the processor has what it takes.
bool has_columns();

/// What the trials of a population are made of. Parameter j of individual i is columns[j * count + i], where count is
/// the population in whole blocks; arrays have an element for each individual.
struct TrialColumns {
  const float* columns;
  std::size_t count;  ///< a multiple of lane_block, at most most_in_columns
  std::uint32_t population;
  std::uint32_t dimensions;
  DonorRows donors;
  const std::uint32_t* forced;
  Edge edge;
  const float* lower;  ///< of each parameter
  const float* upper;
  Outside* outside;  ///< where those found are listed
  float weight;
};

/// Makes the trials of a group of EVOLUTION_GROUP parameters from \p first on, which lie as the vectors do.
/// \returns how many individuals are listed.
std::size_t make_columns(const TrialColumns& all, std::uint32_t first, const GroupWords& words, float* trials);

/// Puts the trials that are better in the places of the vectors, and their values. \param count as in TrialColumns.
/// \returns how many of the population's trial values are NaN.
std::uint32_t replace_columns(const Selection<float>& selection, std::size_t count, std::uint32_t dimensions);

}  // namespace clopt::openmp::differential_evolution
