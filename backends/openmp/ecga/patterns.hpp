/// \file
/// Rows of bits and patterns of groups, as the twins of kernels_cl/ecga turn them into each other.
#pragma once

#include <shared/ecga/ecga.h>

#include <cstdint>
#include <span>

namespace clopt::openmp::ecga {

/// The patterns of a group's loci: bit s of patterns[32 x + k] is bit k of word x of its locus s.
/// \param rows of all loci. \param patterns has 32 numbers for each word of a row.
void pack_group(std::span<const std::uint32_t> rows, const std::uint32_t* loci, std::uint32_t size,
                std::uint32_t row_words, std::span<std::uint16_t> patterns);
/// The way back. \param rows where all loci's rows go.
void unpack_group(std::span<const std::uint16_t> patterns, const std::uint32_t* loci, std::uint32_t size,
                  std::uint32_t row_words, std::span<std::uint32_t> rows);
/// images[i] = where a bijection takes i, for i below its count.
void make_images(const shared::ecga_bijection& bijection, std::uint32_t* images);

}  // namespace clopt::openmp::ecga
