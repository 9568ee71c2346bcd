#include "genes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <clopt/error.hpp>
#include <numeric>
#include <tuple>

#include "../support/vectorize.hpp"

namespace clopt::exchange {
namespace {

/// The most links in the table of paths; transfers share them out evenly.
constexpr std::uint64_t most_table_links = 1 << 26;
constexpr std::uint64_t most_paths = 4096;
constexpr std::uint32_t block_genes = EXCHANGE_BLOCK;
constexpr std::uint32_t samples = EXCHANGE_SAMPLES;

/// The random words of a block of genes of some individuals.
struct BlockWords {
  std::uint32_t words[4][block_genes];
};

CLOPT_VECTORIZE void make_words(const Population& population, std::uint32_t k, std::uint32_t first_gene,
                                BlockWords& made) {
  for (std::uint32_t i = 0; i < block_genes; ++i) {
    const auto block = shared::exchange_sample_words(population, k, first_gene + i);
    made.words[0][i] = block.a;
    made.words[1][i] = block.b;
    made.words[2][i] = block.c;
    made.words[3][i] = block.d;
  }
}

/// A block of genes of some parents.
struct Window {
  std::uint32_t bits;  ///< 2^bits parents
  std::uint32_t genes[EXCHANGE_CHUNK][block_genes];
};

/// Copies a block of genes of the parents from \p start on, in a circle. \param row_of where a parent's block is.
template <class RowOf>
void copy_window(std::uint32_t start, std::uint32_t parents, const RowOf& row_of, std::uint32_t count, Window& window) {
  // Each row comes from memory: several are on their way at once.
  constexpr std::uint32_t ahead = 16;
  const auto after = [&](std::uint32_t parent, std::uint32_t i) {
    return parent + i < parents ? parent + i : (parent + i) % parents;
  };
  const std::uint32_t size = 1U << window.bits;
  for (std::uint32_t i = 0; i < size; ++i) {
    const auto* const next = row_of(after(start, i + ahead));
    __builtin_prefetch(next);
    __builtin_prefetch(next + 16);
    __builtin_prefetch(next + 31);
    std::copy_n(row_of(after(start, i)), count, window.genes[i]);
  }
}

/// Samples a block of one individual. \param shift which half of the words is its own.
CLOPT_VECTORIZE void sample_genes(const Window& window, const std::uint32_t* words, std::uint32_t shift,
                                  std::uint32_t count, std::uint32_t* to) {
  const std::uint32_t* const genes = window.genes[0];
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t draw = words[i] >> shift & 0xffffU;
    to[i] = shared::exchange_sampled(genes[shared::exchange_slot_parent(draw, window.bits) * block_genes + i],
                                     genes[shared::exchange_path_parent(draw, window.bits) * block_genes + i]);
  }
}

// Rank i of some ranks that are spread evenly over `count`.
std::uint64_t spread_rank(std::uint64_t i, std::uint64_t taken, std::uint64_t count) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(i) * count / taken);
}

template <class T>
void reorder(std::vector<T>& values, const std::vector<std::uint32_t>& order) {
  std::vector<T> ordered;
  for (const auto i : order) ordered.push_back(values[i]);
  values = std::move(ordered);
}

// Genes with the same footprint become neighbours, in the order of their transfers.
void sort_by_footprints(GeneTable& table) {
  std::vector<std::uint32_t> order(table.genes.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [&](std::uint32_t i) {
    return std::tuple(table.genes[i].hops, table.genes[i].paths, table.footprints.genes[i].x);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  reorder(table.transfers, order);
  reorder(table.genes, order);
  reorder(table.footprints.genes, order);
}

}  // namespace

GeneTable make_gene_table(const Problem& problem, const Network& network, const Paths& paths) {
  if (network.links().size() > 65535)
    throw InvalidInput(fmt::format("exchange: {} links; umda takes at most 65535", network.links().size()));
  const auto& transfers = problem.transfers;
  GeneTable table;
  table.links = static_cast<std::uint32_t>(network.links().size());
  table.transfers.resize(transfers.size());
  std::iota(table.transfers.begin(), table.transfers.end(), 0U);
  const auto hops_of = [&](std::uint32_t i) { return network.distance(transfers[i].from, transfers[i].to); };
  std::stable_sort(table.transfers.begin(), table.transfers.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return hops_of(a) < hops_of(b); });
  for (const auto i : table.transfers) table.hops += hops_of(i);
  const std::uint64_t share = std::max<std::uint64_t>(most_table_links / transfers.size(), 1);
  std::vector<std::uint32_t> links(network.diameter());
  for (const auto i : table.transfers) {
    const auto& transfer = transfers[i];
    const std::uint32_t hops = hops_of(i);
    const auto count = paths.count(transfer.from, transfer.to);
    const auto taken = std::min({count, most_paths, std::max<std::uint64_t>(share / hops, 1)});
    table.genes.push_back({static_cast<std::uint32_t>(table.paths.size()), hops, static_cast<std::uint32_t>(taken)});
    for (std::uint64_t k = 0; k < taken; ++k) {
      paths.unrank(transfer.from, transfer.to, spread_rank(k, taken, count), links.data());
      for (std::uint32_t hop = 0; hop < hops; ++hop) table.paths.push_back(static_cast<std::uint16_t>(links[hop]));
    }
  }
  table.footprints = make_footprints(network, table.genes, table.paths);
  if (table.footprints.places != 0) sort_by_footprints(table);
  return table;
}

Schedule decode(const GeneTable& table, const Problem& problem, const Network& network, std::uint32_t slots,
                std::span<const std::uint32_t> genes) {
  Schedule schedule{slots, std::vector<Placement>(problem.transfers.size())};
  for (std::size_t i = 0; i < genes.size(); ++i) {
    const auto& gene = table.genes[i];
    auto& placement = schedule.placements[table.transfers[i]];
    placement.slot = shared::exchange_gene_slot(genes[i]);
    placement.path = {problem.transfers[table.transfers[i]].from};
    const auto first = gene.first + shared::exchange_gene_path(genes[i]) * gene.hops;
    for (std::uint32_t hop = 0; hop < gene.hops; ++hop)
      placement.path.push_back(network.links()[table.paths[first + hop]].to);
  }
  return schedule;
}

CLOPT_VECTORIZE void make_first_individual(const Population& population, std::uint32_t number,
                                           std::span<const Gene> table, std::uint32_t* own) {
  for (std::uint32_t gene = 0; gene < population.genes; ++gene)
    own[gene] = shared::exchange_first_gene(population, number, gene, table[gene].paths);
}

// A chunk's window of a block is copied, and used for all individuals of the chunk: its rows are far apart.
void sample_individuals(const Population& population, std::uint32_t first, std::uint32_t end, const std::uint32_t* rows,
                        std::span<const std::uint32_t> parent_rows, std::span<std::uint32_t* const> own) {
  const std::uint32_t parents = population.individuals / 2;
  Window window{shared::exchange_window_bits(parents), {}};
  BlockWords block;
  for (std::uint32_t chunk = first / EXCHANGE_CHUNK; chunk * EXCHANGE_CHUNK < end; ++chunk) {
    const std::uint32_t begin_of_chunk = std::max(first, chunk * EXCHANGE_CHUNK);
    const std::uint32_t end_of_chunk = std::min(end, (chunk + 1) * EXCHANGE_CHUNK);
    for (std::uint32_t gene = 0; gene < population.genes; gene += block_genes) {
      const std::uint32_t count = std::min(block_genes, population.genes - gene);
      copy_window(
          shared::exchange_window_start(population, chunk, gene / block_genes, parents), parents,
          [&](std::uint32_t parent) { return rows + std::size_t{parent_rows[parent]} * population.genes + gene; },
          count, window);
      for (std::uint32_t k = begin_of_chunk / samples; k * samples < end_of_chunk; ++k) {
        make_words(population, k, gene, block);
        const std::uint32_t begin_k = std::max(begin_of_chunk, k * samples);
        const std::uint32_t end_k = std::min(end_of_chunk, (k + 1) * samples);
        for (std::uint32_t individual = begin_k; individual < end_k; ++individual)
          sample_genes(window, block.words[(individual % samples) / 2], (individual & 1) * 16, count,
                       own[individual - first] + gene);
      }
    }
  }
}

void mutate(const Population& population, std::uint32_t k, std::span<const Gene> table, std::uint32_t* own) {
  for (std::uint32_t i = 0; i < EXCHANGE_MUTATIONS; ++i) {
    const auto mutation = shared::exchange_mutation(population, k, i);
    own[mutation.a] = shared::exchange_any_gene(mutation.b, mutation.c, population.slots, table[mutation.a].paths);
  }
}

}  // namespace clopt::exchange
