#include "genes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <clopt/error.hpp>
#include <limits>
#include <numeric>
#include <tuple>

namespace clopt::exchange {
namespace {

/// The most links in the table of paths; transfers share them out evenly.
static_assert(most_tries == EXCHANGE_MOST_TRIES);
constexpr std::uint64_t most_table_links = 1 << 26;
constexpr std::uint64_t most_paths = 4096;

// The links of a path of each transfer together, which kernels have in 32 bits.
std::uint32_t sum_hops(const Problem& problem, const Network& network) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t sum = 0;
  for (const auto& transfer : problem.transfers) sum += network.distance(transfer.from, transfer.to);
  if (sum > most)
    throw InvalidInput(
        fmt::format("exchange: shortest paths of {} links in all; umda and its fitness take at most {}; choose the "
                    "optimizer anneal or pack",
                    sum, most));
  return static_cast<std::uint32_t>(sum);
}

// Rank i of some ranks that are spread evenly over `count`.
std::uint64_t spread_rank(std::uint64_t i, std::uint64_t taken, std::uint64_t count) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(i) * count / taken);
}

template <class T>
void reorder(std::vector<T>& values, const std::vector<std::uint32_t>& order) {
  std::vector<T> ordered;
  ordered.reserve(order.size());
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
    throw InvalidInput(
        fmt::format("exchange: {} links; umda and its fitness take at most 65535", network.links().size()));
  const auto& transfers = problem.transfers;
  GeneTable table;
  table.links = static_cast<std::uint32_t>(network.links().size());
  table.hops = sum_hops(problem, network);
  table.transfers.resize(transfers.size());
  std::iota(table.transfers.begin(), table.transfers.end(), 0U);
  const auto hops_of = [&](std::uint32_t i) { return network.distance(transfers[i].from, transfers[i].to); };
  std::stable_sort(table.transfers.begin(), table.transfers.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return hops_of(a) < hops_of(b); });
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

Population population_of(const GeneTable& table, std::uint32_t slots, const Options& options) {
  Population population{};
  population.seed = options.seed;
  population.genes = static_cast<std::uint32_t>(table.genes.size());
  population.slots = slots;
  population.links = table.links;
  population.individuals = options.population;
  population.hops = table.hops;
  population.tournament = options.tournament;
  population.mutations = options.mutations;
  population.tries = options.tries;
  return population;
}

Schedule decode(const GeneTable& table, const Problem& problem, const Network& network, std::uint32_t slots,
                std::span<const std::uint32_t> genes) {
  Schedule schedule{slots, std::vector<Placement>(problem.transfers.size())};
  for (std::size_t i = 0; i < genes.size(); ++i) {
    const auto& gene = table.genes[i];
    auto& placement = schedule.placements[table.transfers[i]];
    placement.slot = shared::exchange_gene_slot(genes[i]);
    placement.path.assign(1, problem.transfers[table.transfers[i]].from);
    const auto first = gene.first + shared::exchange_gene_path(genes[i]) * gene.hops;
    for (std::uint32_t hop = 0; hop < gene.hops; ++hop)
      placement.path.push_back(network.links()[table.paths[first + hop]].to);
  }
  return schedule;
}

}  // namespace clopt::exchange
