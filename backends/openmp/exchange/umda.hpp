/// \file
/// Conflicts of one individual of the UMDA on the host.
#pragma once

#include <exchange/operations.hpp>
#include <openmp/team.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace clopt::openmp::exchange {

using clopt::exchange::Footprint;
using clopt::exchange::Gene;
using clopt::exchange::Population;

/// What genes stand for, as the kernels take it.
struct GenePaths {
  std::span<const Footprint> footprints;
  std::span<const std::uint64_t> elements;  ///< of the footprints
  std::uint32_t places_an_element;
  std::span<const Gene> table;
  std::span<const std::uint16_t> paths;
};

/// Counts conflicts by a histogram with a byte for each slot and link; made once for each thread.
class LinkHistogram {
 public:
  /// \param places of links in a slot's row, where there are footprints; else 0, and places are links.
  LinkHistogram(const GenePaths& paths, const Population& population, std::uint32_t places);
  /// The conflicts of an individual. \param next the one to be asked for after it, so that it is near by then, or none.
  std::uint64_t conflicts_of(const std::uint32_t* genes, const std::uint32_t* next = nullptr);

 private:
  /// Genes that follow each other and whose paths take equally much room.
  struct GeneRun {
    std::uint32_t end;
    std::uint32_t hops;
    std::uint32_t step;  ///< from a path to the next one, in places
  };
  std::uint64_t with_wide_counters(const std::uint32_t* genes) const;

  GenePaths paths_;
  std::uint32_t slots_;
  std::uint32_t links_;
  std::uint32_t genes_;
  std::uint32_t row_;
  bool is_narrow_;  ///< whether a place is a byte, not two
  const void* places_;
  std::uint64_t total_hops_ = 0;
  std::vector<GeneRun> runs_;
  // Of each gene:
  std::vector<std::uint32_t> first_places_;   ///< where its first path begins
  std::vector<std::uint32_t> lowest_places_;  ///< what is to be added to its places
  ThreadVector<std::uint8_t> uses_;           ///< 0 between two individuals
};

}  // namespace clopt::openmp::exchange
