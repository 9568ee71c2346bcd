/// \file
/// Conflicts of one individual of the UMDA on the host.
#pragma once

#include <exchange/operations.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace clopt::openmp::exchange {

using clopt::exchange::Footprint;
using clopt::exchange::Gene;
using clopt::exchange::Population;

/// Counts conflicts by a histogram with a byte for each slot and link.
class LinkHistogram {
 public:
  LinkHistogram(std::span<const Gene> table, std::span<const std::uint16_t> paths, const Population& population);
  /// The conflicts of an individual.
  std::uint64_t conflicts_of(const std::uint32_t* genes);

 private:
  /// Genes that follow each other, of as many hops each.
  struct Run {
    std::uint32_t end;
    std::uint32_t hops;
  };
  std::uint64_t with_wide_counters(const std::uint32_t* genes) const;

  std::span<const Gene> table_;
  std::span<const std::uint16_t> paths_;
  std::uint32_t slots_;
  std::uint32_t links_;
  std::uint64_t total_hops_ = 0;
  std::vector<Run> runs_;
  std::vector<std::uint32_t> first_paths_;  ///< of each gene, in the table of paths
  // Of an individual's genes:
  std::vector<std::uint32_t> path_places_;  ///< their paths, in the table; then first ones, to be brought near too
  std::vector<std::uint32_t> rows_;         ///< their slots, in uses_
  std::vector<std::uint8_t> uses_;
};

}  // namespace clopt::openmp::exchange
