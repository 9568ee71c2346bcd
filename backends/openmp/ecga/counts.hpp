/// \file
/// Ones of the ands of rows, by the widest instructions that the processor has.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace clopt::openmp::ecga {

/// Rows that are counted against as many others at a time.
inline constexpr std::uint32_t block_rows = 4;

/// Where the layers of a row end, from the highest to the lowest: multiples of 16 words.
using Ends = std::span<const std::uint32_t>;

/// counts[4 i + j] = ones of p[i] and q[j].
using CountBlock = void (*)(const std::uint32_t* const* p, const std::uint32_t* const* q, Ends ends,
                            std::uint32_t* counts);

/// The quickest one here.
CountBlock count_block();

/// The ones of a row.
std::uint32_t count_row(const std::uint32_t* row, std::uint32_t words);

}  // namespace clopt::openmp::ecga
