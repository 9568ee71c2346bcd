/// \file
/// Rows of bits and patterns of groups, as the twins of kernels_cl/ecga turn them into each other.
#pragma once

#include <shared/ecga.h>

#include <cstdint>
#include <span>

namespace clopt::openmp::ecga {

/// Adds bit \p s of each individual's pattern from a row: patterns[32 x + k] |= bit k of word x, shifted by s.
void pack_row(const std::uint32_t* row, std::uint32_t words, std::uint32_t s, std::uint16_t* patterns);
/// The way back.
void unpack_row(const std::uint16_t* patterns, std::uint32_t words, std::uint32_t s, std::uint32_t* row);
/// images[i] = where a bijection takes i, for i below its count.
void make_images(const shared::ecga_bijection& bijection, std::uint32_t* images);

/// The patterns of a group's loci, from the rows of all loci; `patterns` has 32 numbers for each word of a row.
inline void pack_group(std::span<const std::uint32_t> rows, const std::uint32_t* loci, std::uint32_t size,
                       std::uint32_t row_words, std::span<std::uint16_t> patterns) {
  for (auto& pattern : patterns) pattern = 0;
  for (std::uint32_t s = 0; s < size; ++s)
    pack_row(&rows[std::uint64_t{loci[s]} * row_words], row_words, s, patterns.data());
}

}  // namespace clopt::openmp::ecga
