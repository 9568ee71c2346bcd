/// \file
/// The best and the worst individual of a population.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace clopt::exchange {

/// The fewest and the most conflicts of a population, and the first individuals that have them.
struct Extremes {
  std::uint64_t least = 0;
  std::uint64_t greatest = 0;
  std::size_t best = 0;
  std::size_t worst = 0;
};

/// \param fitness conflicts of individuals, one at least. O(individuals).
Extremes extremes_of(std::span<const std::uint64_t> fitness);

}  // namespace clopt::exchange
