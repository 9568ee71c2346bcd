/// \file
/// Twins of kernels_cl/exchange/first_population.cl, sample.cl, mutate.cl, replace.cl, extremes.cl and unpack.cl: a
/// thread for an individual or a chunk of them, one for extremes.
#include "umda.hpp"

#include <openmp/team.hpp>
#include <openmp/twin.hpp>

#include <exchange/umda/extremes.hpp>
#include <exchange/umda/gene_rows.hpp>
#include <exchange/umda/mutation.hpp>
#include <exchange/umda/sampling.hpp>

#include <algorithm>

namespace clopt::openmp::exchange {
namespace {

namespace operations = clopt::exchange::operations;

using clopt::exchange::Row;

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

/// Writes new individual k into its row, and finds its place: that of the worse one of a pair.
void keep_individual(const operations::Sample& arguments, std::uint32_t k, std::span<const std::uint32_t> genes) {
  const Row& row = arguments.row;
  const auto spare_row = arguments.spare_rows[k];
  clopt::exchange::pack_genes(row, 0, genes, arguments.genes.data() + std::size_t{spare_row} * row.words);
  const auto pair = shared::exchange_pair(arguments.population, arguments.pairing, k);
  const auto replaced = arguments.fitness[pair.b] < arguments.fitness[pair.a] ? pair.a : pair.b;
  arguments.replaced[k] = replaced;
  arguments.next_rows[replaced] = spare_row;
  arguments.next_spare_rows[k] = arguments.rows[replaced];
}

}  // namespace

const Twin first_population{Implementation([](const Range& range, const operations::FirstPopulation& arguments) {
  const Population& population = arguments.population;
  const Row& row = arguments.row;
  PerThread<ThreadVector<std::uint32_t>> scratch;
  for_each_index(range.items[1], 1, [&](std::uint64_t i, unsigned thread) {
    auto& made = scratch.of(thread, [&] { return ThreadVector<std::uint32_t>(population.genes); });
    clopt::exchange::make_first_individual(population, static_cast<std::uint32_t>(i), arguments.table, made.data());
    clopt::exchange::pack_genes(row, 0, made, arguments.genes.data() + i * row.words);
  });
})};

const Twin extremes{Implementation([](const Range&, const operations::Extremes& arguments) {
  const Population& population = arguments.population;
  const Row& row = arguments.row;
  const auto found = clopt::exchange::extremes_of(arguments.fitness.first(population.individuals));
  arguments.extremes[0] = {found.least,
                           found.greatest,
                           static_cast<std::uint32_t>(found.best),
                           static_cast<std::uint32_t>(found.worst),
                           arguments.rows[found.worst],
                           arguments.found[0],
                           population.generation,
                           0};
  std::copy_n(arguments.genes.data() + std::size_t{arguments.rows[found.best]} * row.words, row.words,
              arguments.best_genes.data());
})};

const Twin unpack{Implementation([](const Range& range, const operations::Unpack& arguments) {
  const Row& row = arguments.row;
  const Population& population = arguments.population;
  const std::size_t genes = population.genes;
  for_each_index(range.items[1], 1, [&](std::uint64_t i, unsigned) {
    clopt::exchange::unpack_genes(row,
                                  arguments.genes.data() + std::size_t{arguments.rows[arguments.first + i]} * row.words,
                                  0, {arguments.unpacked.data() + i * genes, genes});
  });
})};

// All genes of a chunk at once.
const Twin sample{Implementation([](const Range&, const operations::Sample& arguments) {
  const Population& population = arguments.population;
  if (shared::exchange_is_over(arguments.found[0], population) != 0) return;
  const std::uint32_t made = population.individuals / 2;
  const CompactParents parents(arguments.genes, arguments.rows, arguments.row);
  std::copy_n(arguments.fitness.begin(), population.individuals, arguments.next_fitness.begin());
  std::copy_n(arguments.rows.begin(), population.individuals, arguments.next_rows.begin());
  PerThread<ThreadVector<std::uint32_t>> scratch;
  for_each_part((std::uint64_t{made} + EXCHANGE_CHUNK - 1) / EXCHANGE_CHUNK, [&](std::size_t part, unsigned thread) {
    auto& chunk =
        scratch.of(thread, [&] { return ThreadVector<std::uint32_t>(std::size_t{EXCHANGE_CHUNK} * population.genes); });
    std::uint32_t* own[EXCHANGE_CHUNK] = {};
    for (std::size_t i = 0; i < EXCHANGE_CHUNK; ++i) own[i] = chunk.data() + i * population.genes;
    const auto begin = static_cast<std::uint32_t>(part * EXCHANGE_CHUNK);
    const auto end = std::min<std::uint32_t>(begin + EXCHANGE_CHUNK, made);
    clopt::exchange::sample_individuals(population, begin, end, arguments.fitness, parents, {own, end - begin});
    for (std::uint32_t k = begin; k < end; ++k) keep_individual(arguments, k, {own[k - begin], population.genes});
  });
})};

const Twin mutate{Implementation([](const Range&, const operations::Mutate& arguments) {
  const Population& population = arguments.population;
  if (shared::exchange_is_over(arguments.found[0], population) != 0) return;
  const Row& layout = arguments.row;
  struct Scratch {
    clopt::exchange::Mutation mutation;
    ThreadVector<std::uint32_t> own;
  };
  PerThread<Scratch> scratch;
  for_each_index(population.individuals / 2, 1, [&](std::uint64_t k, unsigned thread) {
    auto& [mutation, own] = scratch.of(thread, [&]() -> Scratch {
      return {{population, arguments.table, arguments.paths}, ThreadVector<std::uint32_t>(population.genes)};
    });
    auto* const row = arguments.genes.data() + std::size_t{arguments.spare_rows[k]} * layout.words;
    clopt::exchange::unpack_genes(layout, row, 0, own);
    mutation.mutate(population, static_cast<std::uint32_t>(k), own.data());
    clopt::exchange::pack_genes(layout, 0, own, row);
  });
})};

const Twin replace{Implementation([](const Range& range, const operations::Replace& arguments) {
  const Population& population = arguments.population;
  if (shared::exchange_is_over(arguments.found[0], population) != 0) return;
  const Row& row = arguments.row;
  const std::uint32_t made = population.individuals / 2;
  struct Scratch {
    LinkHistogram histogram;
    ThreadVector<std::uint32_t> own;
    bool solved = false;
  };
  PerThread<Scratch> scratch;
  for_each_index(made, range.groups() > 1 ? 1 : made, [&](std::uint64_t i, unsigned thread) {
    auto& [histogram, own, solved] = scratch.of(thread, [&]() -> Scratch {
      return {
          {{arguments.footprints, arguments.elements, arguments.places_an_element, arguments.table, arguments.paths},
           population,
           arguments.row_words},
          ThreadVector<std::uint32_t>(population.genes)};
    });
    const auto k = static_cast<std::uint32_t>(i);
    clopt::exchange::unpack_genes(row, arguments.genes.data() + std::size_t{arguments.spare_rows[k]} * row.words, 0,
                                  own);
    const auto conflicts = histogram.conflicts_of(own.data());
    arguments.next_fitness[arguments.replaced[k]] = conflicts;
    solved = solved || conflicts == 0;
  });
  scratch.for_all([&](const Scratch& of_thread) {
    if (of_thread.solved) arguments.found[0] = population.generation + 1;
  });
})};

}  // namespace clopt::openmp::exchange
