/// \file
/// Random numbers of shared/random.h, many addresses at a time.
#pragma once

#include <cstdint>

namespace clopt::openmp::genetic {

/// Addresses are taken in blocks of so many: buffers are padded to a multiple.
inline constexpr std::uint32_t random_lanes = 16;

/// The words of random_at(seed, purpose, x, y[i], z[i]) for i below \p count rounded up to whole lanes: ab[i] has the
/// block's first two, the first in the lower half, and cd[i] the others.
void random_blocks(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, const std::uint32_t* y,
                   const std::uint32_t* z, std::uint32_t count, std::uint64_t* ab, std::uint64_t* cd);

}  // namespace clopt::openmp::genetic
