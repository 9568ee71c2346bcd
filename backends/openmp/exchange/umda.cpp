/// \file
/// Twins of kernels_cl/exchange/umda.cl: a thread for an individual or a chunk of them.
#include "umda.hpp"

#include <openmp/twin.hpp>

#include <exchange/umda/genes.hpp>
#include <exchange/umda/rows.hpp>

#include <algorithm>

namespace clopt::openmp::exchange {
namespace {

using clopt::exchange::Pairing;
using clopt::exchange::Row;

bool is_over(std::span<const std::uint32_t> found, const Population& population) {
  return found[0] != 0 && found[0] <= population.generation;
}

/// Parents in compact rows.
class CompactParents : public clopt::exchange::ParentGenes {
 public:
  CompactParents(std::span<const std::uint32_t> genes, std::span<const std::uint32_t> rows, const Row& row)
      : genes_(genes), rows_(rows), row_(row) {}
  void copy(std::uint32_t individual, std::uint32_t first, std::uint32_t count, std::uint32_t* to) const override {
    clopt::exchange::unpack_genes(row_, of(individual), first, {to, count});
  }
  void prefetch(std::uint32_t individual, std::uint32_t first) const override {
    constexpr std::uint32_t line = 64 / sizeof(std::uint32_t);
    for (std::uint32_t i = 0; i < EXCHANGE_BLOCK / 2; i += line) __builtin_prefetch(of(individual) + first / 2 + i);
  }

 private:
  const std::uint32_t* of(std::uint32_t individual) const {
    return genes_.data() + std::size_t{rows_[individual]} * row_.words;
  }
  std::span<const std::uint32_t> genes_;
  std::span<const std::uint32_t> rows_;
  Row row_;
};

}  // namespace

const Twin first_population{
    clopt::exchange::first_population, [](const Range& range, std::span<std::uint32_t> genes,
                                          std::span<const Gene> table, Population population, Row row) {
      const auto individuals = static_cast<std::int64_t>(range.items[1]);
#pragma omp parallel
      {
        std::vector<std::uint32_t> made(population.genes);
#pragma omp for schedule(static)
        for (std::int64_t i = 0; i < individuals; ++i) {
          clopt::exchange::make_first_individual(population, static_cast<std::uint32_t>(i), table, made.data());
          clopt::exchange::pack_genes(row, 0, made, genes.data() + static_cast<std::size_t>(i) * row.words);
        }
      }
    }};

// All genes of a chunk at once.
const Twin sample{
    clopt::exchange::sample_blocks,
    [](const Range&, std::span<std::uint32_t> genes, std::span<const Gene> table,
       std::span<const std::uint64_t> fitness, std::span<const std::uint32_t> rows,
       std::span<const std::uint32_t> spare_rows, std::span<std::uint64_t> next_fitness,
       std::span<std::uint32_t> next_rows, std::span<std::uint32_t> next_spare_rows, std::span<std::uint32_t> replaced,
       std::span<const std::uint32_t> found, Population population, Row row, Pairing pairing) {
      if (is_over(found, population)) return;
      const std::int64_t made = population.individuals / 2;
      const CompactParents parents(genes, rows, row);
      std::copy_n(fitness.begin(), population.individuals, next_fitness.begin());
      std::copy_n(rows.begin(), population.individuals, next_rows.begin());
#pragma omp parallel if (made > EXCHANGE_CHUNK)
      {
        std::vector<std::uint32_t> chunk(std::size_t{EXCHANGE_CHUNK} * population.genes);
        std::uint32_t* own[EXCHANGE_CHUNK] = {};
        for (std::size_t i = 0; i < EXCHANGE_CHUNK; ++i) own[i] = chunk.data() + i * population.genes;
#pragma omp for schedule(static)
        for (std::int64_t first = 0; first < made; first += EXCHANGE_CHUNK) {
          const auto begin = static_cast<std::uint32_t>(first);
          const auto end = static_cast<std::uint32_t>(std::min<std::int64_t>(first + EXCHANGE_CHUNK, made));
          clopt::exchange::sample_individuals(population, begin, end, fitness, parents, {own, end - begin});
          for (std::uint32_t k = begin; k < end; ++k) {
            clopt::exchange::mutate(population, k, table, own[k - begin]);
            clopt::exchange::pack_genes(row, 0, {own[k - begin], population.genes},
                                        genes.data() + std::size_t{spare_rows[k]} * row.words);
            const auto pair = shared::exchange_pair(population, pairing, k);
            replaced[k] = fitness[pair.b] < fitness[pair.a] ? pair.a : pair.b;
            next_rows[replaced[k]] = spare_rows[k];
            next_spare_rows[k] = rows[replaced[k]];
          }
        }
      }
    }};

const Twin replace{
    clopt::exchange::replace_individuals,
    [](const Range& range, std::span<const std::uint32_t> genes, std::span<const Footprint> footprints,
       std::span<const std::uint64_t> elements, std::span<const Gene> table, std::span<const std::uint16_t> paths,
       std::span<const std::uint32_t> spare_rows, std::span<const std::uint32_t> replaced,
       std::span<std::uint64_t> next_fitness, std::span<std::uint32_t> found, Population population, Row row,
       std::uint32_t places_an_element, std::uint32_t places, std::uint32_t, LocalMemory<std::uint32_t>) {
      if (is_over(found, population)) return;
      const std::int64_t made = population.individuals / 2;
      bool solved = false;
#pragma omp parallel if (range.groups() > 1) reduction(|| : solved)
      {
        LinkHistogram histogram({footprints, elements, places_an_element, table, paths}, population, places);
        std::vector<std::uint32_t> own(population.genes);
#pragma omp for schedule(static)
        for (std::int64_t i = 0; i < made; ++i) {
          const auto k = static_cast<std::uint32_t>(i);
          clopt::exchange::unpack_genes(row, genes.data() + std::size_t{spare_rows[k]} * row.words, 0, own);
          next_fitness[replaced[k]] = histogram.conflicts_of(own.data());
          solved = solved || next_fitness[replaced[k]] == 0;
        }
      }
      if (solved) found[0] = population.generation + 1;
    }};

}  // namespace clopt::openmp::exchange
