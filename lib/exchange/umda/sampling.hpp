/// \file
/// Initialisation and sampling (section 4 of the paper). The optimiser on the host and the twins of its kernels share
/// it, so that nothing else of the library is needed here.
#pragma once

#include <exchange/operations.hpp>

#include <cstdint>
#include <span>

namespace clopt::exchange {

/// Makes individual \p number of the first population.
void make_first_individual(const Population& population, std::uint32_t number, std::span<const Gene> table,
                           std::uint32_t* own);

/// Where the genes of a generation's parents are.
class ParentGenes {
 public:
  virtual ~ParentGenes() = default;
  /// Writes \p count genes of an individual from gene \p first on, at most EXCHANGE_BLOCK.
  virtual void copy(std::uint32_t individual, std::uint32_t first, std::uint32_t count, std::uint32_t* to) const = 0;
  /// Has them brought near, as they are asked for soon.
  virtual void prefetch(std::uint32_t individual, std::uint32_t first) const = 0;
};

/// Makes new individuals \p first to below \p end of a generation. \param fitness conflicts of the individuals that
/// parents are selected from. \param own where each of the new ones goes.
void sample_individuals(const Population& population, std::uint32_t first, std::uint32_t end,
                        std::span<const std::uint64_t> fitness, const ParentGenes& parents,
                        std::span<std::uint32_t* const> own);

}  // namespace clopt::exchange
