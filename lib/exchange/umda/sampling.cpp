#include "sampling.hpp"

#include <support/numbers/vectorize.hpp>

#include <algorithm>
#include <vector>

namespace clopt::exchange {
namespace {

constexpr std::uint32_t block_genes = EXCHANGE_BLOCK;
constexpr std::uint32_t chunk_individuals = EXCHANGE_CHUNK;

/// A block of genes of a chunk's parents, and the words that say which of them gives a gene to whom.
struct Window {
  std::uint32_t genes[EXCHANGE_CHUNK][block_genes];
  std::uint32_t words[EXCHANGE_CHUNK / 4][block_genes];
};

CLOPT_VECTORIZE(void, make_words,
                (const Population& population, std::uint32_t chunk, std::uint32_t first_pair, Window& window),
                (population, chunk, first_pair, window)) {
  for (std::uint32_t i = 0; i < EXCHANGE_BLOCK_PAIRS; ++i) {
    const auto block = shared::exchange_sample_words(population, chunk, first_pair + i);
    window.words[0][2 * i] = block.a;
    window.words[0][2 * i + 1] = block.b;
    window.words[1][2 * i] = block.c;
    window.words[1][2 * i + 1] = block.d;
  }
}

/// Samples a block of individual \p i of a chunk.
CLOPT_VECTORIZE(void, sample_genes, (const Window& window, std::uint32_t i, std::uint32_t count, std::uint32_t* to),
                (window, i, count, to)) {
  const std::uint32_t* const genes = window.genes[0];
  const std::uint32_t* const words = window.words[i / 4];
  for (std::uint32_t gene = 0; gene < count; ++gene) {
    const std::uint32_t word = words[gene];
    to[gene] = shared::exchange_sampled(genes[shared::exchange_slot_parent(word, i % 4) * block_genes + gene],
                                        genes[shared::exchange_path_parent(word, i % 4) * block_genes + gene]);
  }
}

/// Of a tournament: the first of those with the fewest conflicts.
std::uint32_t winner(const Population& population, std::uint32_t chunk, std::uint32_t block, std::uint32_t parent,
                     std::span<const std::uint64_t> fitness) {
  std::uint32_t winner = 0;
  for (std::uint32_t i = 0; i < population.tournament; i += 2) {
    const auto [a, b] = shared::exchange_tournament(population, chunk, block, parent, i / 2);
    if (i == 0 || fitness[a] < fitness[winner]) winner = a;
    if (i + 1 < population.tournament && fitness[b] < fitness[winner]) winner = b;
  }
  return winner;
}

/// The parents of a chunk, EXCHANGE_CHUNK for each block of genes.
void select_parents(const Population& population, std::uint32_t chunk, std::span<const std::uint64_t> fitness,
                    const ParentGenes& genes, std::vector<std::uint32_t>& parents) {
  parents.clear();
  for (std::uint32_t gene = 0; gene < population.genes; gene += block_genes)
    for (std::uint32_t i = 0; i < chunk_individuals; ++i) {
      parents.push_back(winner(population, chunk, gene / block_genes, i, fitness));
      genes.prefetch(parents.back(), gene);
    }
}

CLOPT_VECTORIZE(void, draw_genes,
                (const Population& population, std::uint32_t number, const Gene* table, std::uint32_t* own),
                (population, number, table, own)) {
  for (std::uint32_t gene = 0; gene < population.genes; ++gene)
    own[gene] = shared::exchange_first_gene(population, number, gene, table[gene].paths);
}

}  // namespace

// The functions that the compiler makes several forms of stay in this file: the linker would export them.
void make_first_individual(const Population& population, std::uint32_t number, std::span<const Gene> table,
                           std::uint32_t* own) {
  draw_genes(population, number, table.data(), own);
}

void sample_individuals(const Population& population, std::uint32_t first, std::uint32_t end,
                        std::span<const std::uint64_t> fitness, const ParentGenes& parents,
                        std::span<std::uint32_t* const> own) {
  std::vector<std::uint32_t> selected;
  Window window;
  for (std::uint32_t chunk = first / chunk_individuals; chunk * chunk_individuals < end; ++chunk) {
    const std::uint32_t begin_of_chunk = std::max(first, chunk * chunk_individuals);
    const std::uint32_t end_of_chunk = std::min(end, (chunk + 1) * chunk_individuals);
    select_parents(population, chunk, fitness, parents, selected);
    for (std::uint32_t gene = 0; gene < population.genes; gene += block_genes) {
      const std::uint32_t count = std::min(block_genes, population.genes - gene);
      for (std::uint32_t i = 0; i < chunk_individuals; ++i)
        parents.copy(selected[gene / block_genes * chunk_individuals + i], gene, count, window.genes[i]);
      make_words(population, chunk, gene / 2, window);
      for (std::uint32_t k = begin_of_chunk; k < end_of_chunk; ++k)
        sample_genes(window, k - chunk * chunk_individuals, count, own[k - first] + gene);
    }
  }
}

}  // namespace clopt::exchange
