/// \file
/// Ones of the ands of rows, by the widest instructions that the processor has.
#pragma once

#include <array>
#include <cstdint>

namespace clopt::openmp::ecga {

/// Rows that are counted against as many others at a time.
inline constexpr std::uint32_t block_rows = 4;

/// counts[4 i + j] = ones of p[i] and q[j]; words: of a row, a multiple of 16.
using CountBlock = void (*)(const std::uint32_t* const* p, const std::uint32_t* const* q, std::uint32_t words,
                            std::uint32_t* counts);

/// The quickest one here.
CountBlock count_block();

/// The ones of a row.
std::uint32_t count_row(const std::uint32_t* row, std::uint32_t words);

}  // namespace clopt::openmp::ecga
