/// \file
/// Links that paths often use together share a word of counters, so that a path is counted by few additions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "operations.hpp"

namespace clopt::exchange {

/// Where links are counted: a word has EXCHANGE_LINKS_A_WORD counters of 4 bits.
struct LinkWords {
  std::uint32_t words = 0;
  std::vector<std::uint16_t> word;    ///< of each link
  std::vector<std::uint8_t> counter;  ///< of each link, within its word
};

/// Shares out links, so that those which the genes' paths use together are in one word as far as possible.
/// \param genes, paths as in GeneTable.
LinkWords share_out_links(std::uint32_t links, std::span<const Gene> genes, std::span<const std::uint16_t> paths);

/// The additions of each gene's paths: a word's number in the upper 8 bits, what is added to it in the lower 24.
struct PathWords {
  std::uint32_t words = 0;  ///< of a slot; 0: there are no additions, because there are too many links or paths
  std::vector<std::uint32_t> genes;   ///< see exchange_umda.h
  std::vector<PackedPath> additions;  ///< four to an element
};

PathWords make_path_words(std::uint32_t links, std::span<const Gene> genes, std::span<const std::uint16_t> paths);

}  // namespace clopt::exchange
