/// \file
/// Random numbers of a batch's pairs.
#pragma once

#include <openmp/simd/philox.hpp>
#include "batch.hpp"

#include <cstdint>

namespace clopt::openmp::genetic {

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
