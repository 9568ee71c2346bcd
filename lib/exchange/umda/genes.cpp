#include "genes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <clopt/error.hpp>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace clopt::exchange {
namespace {

static_assert(most_tries == EXCHANGE_MOST_TRIES);
/// The most links in the table of paths; transfers share them out evenly.
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

// Each value is of `width` elements.
template <class T>
void reorder(std::vector<T>& values, const std::vector<std::uint32_t>& order, std::size_t width = 1) {
  std::vector<T> ordered;
  ordered.reserve(values.size());
  for (const auto i : order)
    for (std::size_t k = 0; k < width; ++k) ordered.push_back(values[i * width + k]);
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
  reorder(table.transfers, order, table.group.order());
  reorder(table.genes, order);
  reorder(table.footprints.genes, order);
}

bool are_wanted_once(std::vector<Transfer> transfers) {
  std::sort(transfers.begin(), transfers.end());
  return std::adjacent_find(transfers.begin(), transfers.end()) == transfers.end();
}

// Transfers by distance, those of a group's orbits together, the first one for all of them.
std::vector<std::uint32_t> transfers_of_genes(const Problem& problem, const Network& network,
                                              const SymmetryGroup& group) {
  const auto& transfers = problem.transfers;
  std::vector<std::uint32_t> order(transfers.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return network.distance(transfers[a].from, transfers[a].to) < network.distance(transfers[b].from, transfers[b].to);
  });
  if (group.order() == 1) return order;
  std::map<Transfer, std::uint32_t> numbers;
  for (const auto i : order) numbers.emplace(transfers[i], i);
  std::vector<bool> is_taken(transfers.size());
  std::vector<std::uint32_t> orbits;
  for (const auto i : order) {
    if (is_taken[i]) continue;
    for (const auto& element : group.elements) {
      orbits.push_back(numbers.at(element(transfers[i])));
      is_taken[orbits.back()] = true;
    }
  }
  return orbits;
}

/// Adds the links of a path's images behind those of the path.
class PathImages {
 public:
  PathImages(const Network& network, const SymmetryGroup& group)
      : order_(group.order()), seen_(network.links().size()) {
    for (const auto& link : network.links())
      for (const auto& element : group.elements) {
        const auto image = element(link);
        images_.push_back(static_cast<std::uint16_t>(network.link_between(image.from, image.to)));
      }
  }
  /// \returns whether no link is there twice; else nothing is added.
  bool add(std::span<const std::uint32_t> path, std::vector<std::uint16_t>& links) {
    ++path_;
    const auto before = links.size();
    for (std::uint32_t element = 0; element < order_; ++element)
      for (const auto link : path) {
        // A channel's image is not known, where it has parallel ones.
        const auto image = order_ == 1 ? static_cast<std::uint16_t>(link) : images_[link * order_ + element];
        if (std::exchange(seen_[image], path_) == path_) {
          links.resize(before);
          return false;
        }
        links.push_back(image);
      }
    return true;
  }

 private:
  std::uint32_t order_;
  std::vector<std::uint16_t> images_;
  std::vector<std::uint32_t> seen_;  ///< of each link, the path that has it
  std::uint32_t path_ = 0;
};

// \returns whether each transfer has a path.
bool add_paths(GeneTable& table, const Problem& problem, const Network& network, const Paths& paths) {
  const auto order = table.group.order();
  const auto genes = table.transfers.size() / order;
  const std::uint64_t share = std::max<std::uint64_t>(most_table_links / genes, 1);
  PathImages images(network, table.group);
  std::vector<std::uint32_t> links(network.diameter());
  for (std::size_t gene = 0; gene < genes; ++gene) {
    const auto& [from, to] = problem.transfers[table.transfers[gene * order]];
    const std::uint32_t hops = network.distance(from, to);
    const auto count = paths.count(from, to);
    const auto taken = std::min({count, most_paths, std::max<std::uint64_t>(share / (std::uint64_t{hops} * order), 1)});
    const auto first = table.paths.size();
    for (std::uint64_t k = 0; k < taken; ++k) {
      paths.unrank(from, to, spread_rank(k, taken, count), links.data());
      images.add(std::span(links).first(hops), table.paths);
    }
    const auto kept = (table.paths.size() - first) / (std::size_t{hops} * order);
    if (kept == 0) return false;
    table.genes.push_back({static_cast<std::uint32_t>(first), hops * order, static_cast<std::uint32_t>(kept)});
  }
  return true;
}

std::optional<GeneTable> table_of_group(const Problem& problem, const Network& network, const Paths& paths,
                                        SymmetryGroup group) {
  GeneTable table;
  table.group = std::move(group);
  table.links = static_cast<std::uint32_t>(network.links().size());
  table.hops = sum_hops(problem, network);
  table.transfers = transfers_of_genes(problem, network, table.group);
  if (!add_paths(table, problem, network, paths)) return std::nullopt;
  table.footprints = make_footprints(network, table.genes, table.paths);
  if (table.footprints.places != 0) sort_by_footprints(table);
  return table;
}

}  // namespace

GeneTable make_gene_table(const Problem& problem, const Network& network, const Paths& paths) {
  return make_symmetric_gene_table(problem, network, paths, 1, 0);
}

GeneTable make_symmetric_gene_table(const Problem& problem, const Network& network, const Paths& paths,
                                    std::uint32_t most, std::uint64_t seed) {
  if (network.links().size() > 65535)
    throw InvalidInput(
        fmt::format("exchange: {} links; umda and its fitness take at most 65535", network.links().size()));
  if (most > 1 && !network.has_parallel_channels() && are_wanted_once(problem.transfers)) {
    const auto groups = find_groups(network, problem.transfers, most, seed, GroupKind::involutions);
    for (auto group = groups.rbegin(); group->order() > 1; ++group)
      if (auto table = table_of_group(problem, network, paths, *group)) return *std::move(table);
  }
  return *table_of_group(problem, network, paths, trivial_group(network.nodes()));
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
  const auto order = table.group.order();
  for (std::size_t i = 0; i < genes.size(); ++i) {
    const auto& gene = table.genes[i];
    const auto first = gene.first + shared::exchange_gene_path(genes[i]) * gene.hops;
    std::vector<std::uint32_t> path{problem.transfers[table.transfers[i * order]].from};
    for (std::uint32_t hop = 0; hop < gene.hops / order; ++hop)
      path.push_back(network.links()[table.paths[first + hop]].to);
    for (std::uint32_t n = 0; n < order; ++n) {
      const auto& element = table.group.elements[n];
      auto& placement = schedule.placements[table.transfers[i * order + n]];
      placement.slot = shared::exchange_gene_slot(genes[i]);
      placement.path.clear();
      for (const auto node : path) placement.path.push_back(element.image[node]);
      if (element.reverses) std::reverse(placement.path.begin(), placement.path.end());
    }
  }
  return schedule;
}

}  // namespace clopt::exchange
