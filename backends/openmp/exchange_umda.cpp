/// \file
/// Twins of kernels_cl/exchange/umda.cl: a thread for an individual.
#include "exchange_umda.hpp"

#include "twin.hpp"

#include <exchange/genes.hpp>

#include <omp.h>

#include <algorithm>

namespace clopt::openmp::exchange {
const Twin first_population{
    clopt::exchange::first_population,
    [](const Range& range, std::span<std::uint32_t> genes, std::span<const Gene> table, Population population) {
      const auto individuals = static_cast<std::int64_t>(range.items[1]);
#pragma omp parallel for schedule(static)
      for (std::int64_t i = 0; i < individuals; ++i)
        for (std::uint32_t gene = 0; gene < population.genes; ++gene)
          genes[static_cast<std::size_t>(i) * population.genes + gene] =
              shared::exchange_first_gene(population, static_cast<std::uint32_t>(i), gene, table[gene].paths);
    }};

const Twin select_parents{clopt::exchange::select_parents,
                          [](const Range&, std::span<const std::uint64_t> fitness, std::span<const std::uint32_t> rows,
                             std::span<std::uint32_t> parent_rows, std::span<std::uint32_t> replaced,
                             std::span<std::uint32_t> found, Population population) {
                            const auto end = fitness.begin() + population.individuals;
                            if (found[0] == 0 && std::find(fitness.begin(), end, 0U) != end)
                              found[0] = population.generation;
                            const auto pairing = shared::exchange_pairing(population);
                            for (std::uint32_t k = 0; k < population.individuals / 2; ++k) {
                              const auto duel = shared::exchange_tournament(population, k);
                              const auto pair = shared::exchange_pair(population, pairing, k);
                              parent_rows[k] = rows[fitness[duel.b] < fitness[duel.a] ? duel.b : duel.a];
                              replaced[k] = fitness[pair.b] < fitness[pair.a] ? pair.a : pair.b;
                            }
                          }};

// All genes of a few individuals at once.
const Twin sample{clopt::exchange::sample_block,
                  [](const Range&, std::span<std::uint32_t> genes, std::span<const std::uint32_t> spare_rows,
                     std::span<const std::uint32_t> parent_rows, std::span<const std::uint32_t> found,
                     Population population, LocalMemory<std::uint32_t>) {
                    if (found[0] != 0) return;
                    const std::int64_t parents = population.individuals / 2;
                    // Individuals that are made together share a window of their parents.
                    const std::int64_t share =
                        (parents / omp_get_max_threads() + EXCHANGE_SAMPLES) / EXCHANGE_SAMPLES * EXCHANGE_SAMPLES;
                    const std::int64_t step = std::min<std::int64_t>(share, EXCHANGE_CHUNK);
#pragma omp parallel for schedule(static)
                    for (std::int64_t first = 0; first < parents; first += step) {
                      const std::int64_t end = std::min<std::int64_t>(first + step, parents);
                      std::uint32_t* own[EXCHANGE_CHUNK] = {};
                      for (std::int64_t k = first; k < end; ++k)
                        own[k - first] =
                            genes.data() + std::size_t{spare_rows[static_cast<std::size_t>(k)]} * population.genes;
                      clopt::exchange::sample_individuals(
                          population, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end), genes.data(),
                          parent_rows, std::span<std::uint32_t* const>(own, static_cast<std::size_t>(end - first)));
                    }
                  }};

const Twin replace{
    clopt::exchange::replace_individuals,
    [](const Range& range, std::span<std::uint32_t> genes, std::span<const Footprint>, std::span<const std::uint64_t>,
       std::span<const Gene> table, std::span<const std::uint16_t> paths, std::span<std::uint64_t> fitness,
       std::span<std::uint32_t> rows, std::span<std::uint32_t> spare_rows, std::span<const std::uint32_t> replaced,
       std::span<const std::uint32_t> found, Population population, std::uint32_t, std::uint32_t, std::uint32_t,
       LocalMemory<std::uint32_t>) {
      if (found[0] != 0) return;
      const auto made = static_cast<std::int64_t>(range.groups());
#pragma omp parallel if (made > 1)
      {
        LinkHistogram histogram(table.first(population.genes), paths, population);
#pragma omp for schedule(static)
        for (std::int64_t i = 0; i < made; ++i) {
          const auto k = static_cast<std::size_t>(i);
          std::uint32_t* own = genes.data() + std::size_t{spare_rows[k]} * population.genes;
          clopt::exchange::mutate(population, static_cast<std::uint32_t>(i), table, own);
          const std::size_t place = replaced[k];
          fitness[place] = histogram.conflicts_of(own);
          std::swap(spare_rows[k], rows[place]);
        }
      }
    }};

}  // namespace clopt::openmp::exchange
