/// \file
/// Mutation of the UMDA's new individuals. The optimiser on the host and the twins of its kernels share it, so that
/// nothing else of the library is needed here.
#pragma once

#include <exchange/operations.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace clopt::exchange {

/// Mutates individuals, one after the other; see kernels_cl/exchange/mutate.cl. Made once for each thread.
class Mutation {
 public:
  /// \param paths the links of the genes' paths.
  Mutation(const Population& population, std::span<const Gene> table, std::span<const std::uint16_t> paths);
  /// Mutates new individual \p k of a generation.
  void mutate(const Population& population, std::uint32_t k, std::uint32_t* own);

 private:
  struct Tried {
    std::uint32_t value;
    std::uint64_t cost;  ///< links that it shares with other genes
  };
  std::span<const std::uint16_t> path(std::uint32_t gene, std::uint32_t value) const {
    return paths_.subspan(table_[gene].first + shared::exchange_gene_path(value) * table_[gene].hops,
                          table_[gene].hops);
  }
  void draw_any(const Population& population, std::uint32_t k, std::uint32_t* own) const;
  void try_values(const Population& population, std::uint32_t k, std::uint32_t i, std::uint32_t gene,
                  std::uint32_t current);
  void count_uses(const std::uint32_t* own, std::uint32_t gene);
  std::uint32_t met_gene(const std::uint32_t* own, std::uint32_t gene, std::uint32_t value, std::uint32_t first) const;

  std::span<const Gene> table_;
  std::span<const std::uint16_t> paths_;
  std::uint32_t links_;
  std::vector<Tried> tried_;
  std::vector<std::uint8_t> rows_;   ///< of each slot that is tried, from 1 on; else 0
  std::vector<std::uint32_t> uses_;  ///< of a row's links
};

}  // namespace clopt::exchange
