/// \file
/// Chromosomes of schedules: a gene for each transfer, its slot and the number of its path (section 2.3 of the paper),
/// or for all transfers that symmetries of the network make of one.
#pragma once

#include <clopt/exchange.hpp>

#include <cstdint>
#include <span>
#include <vector>

#include <exchange/anneal/symmetry.hpp>
#include <exchange/network/paths.hpp>
#include <exchange/operations.hpp>
#include "footprints.hpp"

namespace clopt::exchange {

/// What genes stand for. Unlike the paper's rectangular table, each transfer has room for its own paths alone. Genes
/// are in the order of their paths' lengths and numbers, so that neighbours take the same time, and those whose paths
/// look alike are neighbours. The images of a transfer under a group of symmetries share its gene: all have its slot,
/// and the images of its path. A path of the gene has the links of all of them, and no link twice.
struct GeneTable {
  SymmetryGroup group;
  std::vector<std::uint32_t> transfers;  ///< the transfer's number in the problem, of each gene under each element
  std::vector<Gene> genes;
  std::vector<std::uint16_t> paths;  ///< links
  std::uint32_t links = 0;
  std::uint32_t hops = 0;  ///< of all transfers
  Footprints footprints;   ///< the same paths, relative to a place
};

/// All shortest paths of each transfer; of a transfer with very many, some, spread evenly over their order.
/// \throws InvalidInput for more than 65535 links, or shortest paths of 2^32 links or more in all.
GeneTable make_gene_table(const Problem& problem, const Network& network, const Paths& paths);
/// The same with the largest group of some that leaves each transfer a path, of at most \p most elements.
GeneTable make_symmetric_gene_table(const Problem& problem, const Network& network, const Paths& paths,
                                    std::uint32_t most, std::uint64_t seed);

/// The sizes of a run, and how it breeds, but for its generation. \param options of which the population, the seed and
/// the fields of breeding are taken.
Population population_of(const GeneTable& table, std::uint32_t slots, const Options& options);

/// The schedule of an individual.
Schedule decode(const GeneTable& table, const Problem& problem, const Network& network, std::uint32_t slots,
                std::span<const std::uint32_t> genes);

}  // namespace clopt::exchange
