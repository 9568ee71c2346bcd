/// \file
/// Random numbers of shared/random.h, many addresses at a time.
#pragma once

#include "batch.hpp"

#include <cstdint>

namespace clopt::openmp::genetic {

/// Addresses are taken in blocks of this size: buffers are padded to a multiple of it.
inline constexpr std::uint32_t random_lanes = 16;

/// The words of random_at(seed, purpose, x, y[i], z[i]) for i below \p count rounded up to whole lanes: ab[i] has the
/// block's first two, the first in the lower half, and cd[i] the others.
void random_blocks(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, const std::uint32_t* y,
                   const std::uint32_t* z, std::uint32_t count, std::uint64_t* ab, std::uint64_t* cd);

/// The same where z is the same for all: some of the first rounds are done once.
void random_blocks(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, const std::uint32_t* y, std::uint32_t z,
                   std::uint32_t count, std::uint64_t* ab, std::uint64_t* cd);

inline shared::random_block block_of(std::uint64_t ab, std::uint64_t cd) {
  return {static_cast<std::uint32_t>(ab), static_cast<std::uint32_t>(ab >> 32), static_cast<std::uint32_t>(cd),
          static_cast<std::uint32_t>(cd >> 32)};
}

/// Blocks of random numbers for a batch's pairs, at z = 0, 1, ...
template <std::uint32_t most_blocks>
struct PairBlocks {
  std::uint64_t ab[most_blocks * batch_pairs];
  std::uint64_t cd[most_blocks * batch_pairs];

  /// Block z of pair i is at z * batch_pairs + i.
  PairBlocks(const Settings& run, std::uint32_t purpose, std::uint32_t generation, Batch batch) {
    std::uint32_t y[batch_pairs];
    for (std::uint32_t i = 0; i < batch_pairs; ++i) y[i] = shared::genetic_pair_address(run, batch.begin + i);
    for (std::uint32_t block = 0; block < most_blocks; ++block)
      random_blocks(run.seed, purpose, generation, y, block, batch_pairs, ab + block * batch_pairs,
                    cd + block * batch_pairs);
  }
};

}  // namespace clopt::openmp::genetic
