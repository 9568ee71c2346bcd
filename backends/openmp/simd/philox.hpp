/// \file
/// Random numbers of shared/random.h, many addresses at a time.
#pragma once

#include <shared/random.h>

#include <cstddef>
#include <cstdint>

namespace clopt::openmp {

/// Blocks are computed in groups of this many: buffers are padded to a multiple.
inline constexpr std::uint32_t random_lanes = 16;

/// The words of random_at(seed, purpose, x, y[i], z[i]) for i below \p count rounded up to whole groups: ab[i] has the
/// block's first two, the first in the lower half, and cd[i] the others.
void random_blocks(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, const std::uint32_t* y,
                   const std::uint32_t* z, std::uint32_t count, std::uint64_t* ab, std::uint64_t* cd);

/// The same where z is the same for all: some of the first rounds are done once.
void random_blocks(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, const std::uint32_t* y, std::uint32_t z,
                   std::uint32_t count, std::uint64_t* ab, std::uint64_t* cd);

/// The words of random_at(seed, purpose, x, i, z) for i below \p count: word w of the block is words[w * count + i].
/// \param count a multiple of 8, with AVX-512 of 16.
void random_words(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, std::uint32_t z, std::size_t count,
                  std::uint32_t* words);

inline shared::random_block block_of(std::uint64_t ab, std::uint64_t cd) {
  return {static_cast<std::uint32_t>(ab), static_cast<std::uint32_t>(ab >> 32), static_cast<std::uint32_t>(cd),
          static_cast<std::uint32_t>(cd >> 32)};
}

}  // namespace clopt::openmp
