/// \file
/// Rows of genes on a device, 16 bits each but for those that need more; see exchange_row in exchange_umda.h.
#pragma once

#include <cstdint>
#include <span>

#include <exchange/operations.hpp>

namespace clopt::exchange {

/// How rows hold genes of \p slots slots in as little memory as possible.
Row compact_row(std::span<const Gene> table, std::uint32_t slots);

/// Rows of a word for each gene, as the host has them.
Row plain_row(std::uint32_t genes);

/// Writes genes from an even number \p first on to a compact row.
void pack_genes(const Row& row, std::uint32_t first, std::span<const std::uint32_t> genes, std::uint32_t* own);

/// Reads genes from an even number \p first on of a compact row.
void unpack_genes(const Row& row, const std::uint32_t* own, std::uint32_t first, std::span<std::uint32_t> genes);

}  // namespace clopt::exchange
