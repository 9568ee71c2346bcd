/// \file
/// Twins of kernels_cl/exchange/fitness.cl: a thread for an individual.
#include "exchange_umda.hpp"
#include "twin.hpp"

#include <support/vectorize.hpp>

#include <algorithm>
#include <numeric>
#include <type_traits>

namespace clopt::openmp::exchange {
namespace {

/// Calls \p work with a count that the compiler knows where it is small, so that no loop's end is mispredicted.
template <class Work>
inline void with_known_count(std::uint32_t count, const Work& work) {
  switch (count) {
    case 1: return work(std::integral_constant<std::uint32_t, 1>());
    case 2: return work(std::integral_constant<std::uint32_t, 2>());
    case 3: return work(std::integral_constant<std::uint32_t, 3>());
    case 4: return work(std::integral_constant<std::uint32_t, 4>());
    case 5: return work(std::integral_constant<std::uint32_t, 5>());
    case 6: return work(std::integral_constant<std::uint32_t, 6>());
    case 7: return work(std::integral_constant<std::uint32_t, 7>());
    case 8: return work(std::integral_constant<std::uint32_t, 8>());
    default: return work(count);
  }
}

/// Where the paths of genes that have equally many hops lie, and the rows of their slots: in vector registers, since
/// the additions themselves cannot be.
CLOPT_VECTORIZE void find_places(const std::uint32_t* genes, const std::uint32_t* first_paths, std::uint32_t count,
                                 std::uint32_t hops, std::uint32_t links, std::uint32_t* path_places,
                                 std::uint32_t* rows) {
  for (std::uint32_t i = 0; i < count; ++i) {
    path_places[i] = first_paths[i] + shared::exchange_gene_path(genes[i]) * hops;
    rows[i] = shared::exchange_gene_slot(genes[i]) * links;
  }
}

/// Genes whose paths are brought near before they are added.
constexpr std::uint32_t ahead = 32;

/// Adds the uses of genes that have equally many hops.
void add_uses(const std::uint32_t* path_places, const std::uint32_t* rows, const std::uint16_t* paths,
              std::uint32_t begin, std::uint32_t end, std::uint32_t hops, std::uint8_t* uses) {
  with_known_count(hops, [=](auto count) {
    // The table is larger than the nearest caches.
    for (std::uint32_t i = begin; i < end; ++i) {
      __builtin_prefetch(paths + path_places[i + ahead]);
      const std::uint16_t* path = paths + path_places[i];
      std::uint8_t* row = uses + rows[i];
      for (std::uint32_t hop = 0; hop < count; ++hop) ++row[path[hop]];
    }
  });
}

/// The sum of some uses, and of their squares.
struct Sums {
  std::uint64_t uses = 0;
  std::uint64_t squares = 0;
};

CLOPT_VECTORIZE Sums sums_of(const std::uint8_t* uses, std::size_t count) {
  // So many squares fit a word of 32 bits.
  constexpr std::size_t part = 1 << 15;
  Sums sums;
  for (std::size_t first = 0; first < count; first += part) {
    std::uint32_t added = 0;
    std::uint32_t squares = 0;
    const std::size_t end = std::min(first + part, count);
    for (std::size_t i = first; i < end; ++i) {
      const auto use = static_cast<std::int16_t>(uses[i]);
      added += static_cast<std::uint32_t>(use);
      squares += static_cast<std::uint32_t>(use * use);
    }
    sums.uses += added;
    sums.squares += squares;
  }
  return sums;
}

}  // namespace

LinkHistogram::LinkHistogram(std::span<const Gene> table, std::span<const std::uint16_t> paths,
                             const Population& population)
    : table_(table),
      paths_(paths),
      slots_(population.slots),
      links_(population.links),
      path_places_(population.genes + ahead),
      rows_(population.genes),
      uses_(std::size_t{population.slots} * population.links) {
  for (std::uint32_t i = 0; i < population.genes; ++i) {
    total_hops_ += table[i].hops;
    first_paths_.push_back(table[i].first);
    if (runs_.empty() || runs_.back().hops != table[i].hops) runs_.push_back({i, table[i].hops});
    runs_.back().end = i + 1;
  }
}

std::uint64_t LinkHistogram::conflicts_of(const std::uint32_t* genes) {
  std::fill(uses_.begin(), uses_.end(), std::uint8_t{0});
  std::uint32_t begin = 0;
  for (const auto& run : runs_) {
    find_places(genes + begin, first_paths_.data() + begin, run.end - begin, run.hops, links_,
                path_places_.data() + begin, rows_.data() + begin);
    begin = run.end;
  }
  begin = 0;
  for (const auto& run : runs_) {
    add_uses(path_places_.data(), rows_.data(), paths_.data(), begin, run.end, run.hops, uses_.data());
    begin = run.end;
  }
  const Sums sums = sums_of(uses_.data(), uses_.size());
  // A byte that overflowed has lost uses, which nothing gives back.
  return sums.uses == total_hops_ ? (sums.squares - sums.uses) / 2 : with_wide_counters(genes);
}

std::uint64_t LinkHistogram::with_wide_counters(const std::uint32_t* genes) const {
  std::vector<std::uint32_t> uses(uses_.size());
  std::uint64_t conflicts = 0;
  for (std::size_t i = 0; i < table_.size(); ++i)
    for (std::uint32_t hop = 0; hop < table_[i].hops; ++hop) {
      const auto path = table_[i].first + shared::exchange_gene_path(genes[i]) * table_[i].hops;
      conflicts += uses[std::size_t{shared::exchange_gene_slot(genes[i])} * links_ + paths_[path + hop]]++;
    }
  return conflicts;
}

// Counters of a byte for each link are at hand: there is no local memory to be short of.
const Twin links{clopt::exchange::fitness_by_links,
                 [](const Range& range, std::span<const std::uint32_t> genes, std::span<const Footprint>,
                    std::span<const std::uint64_t>, std::span<const Gene> table, std::span<const std::uint16_t> paths,
                    std::span<std::uint64_t> fitness, Population population, std::uint32_t, std::uint32_t,
                    std::uint32_t, LocalMemory<std::uint32_t>) {
                   const auto individuals = static_cast<std::int64_t>(range.groups());
#pragma omp parallel if (individuals > 1)
                   {
                     LinkHistogram histogram(table.first(population.genes), paths, population);
#pragma omp for schedule(static)
                     for (std::int64_t i = 0; i < individuals; ++i)
                       fitness[static_cast<std::size_t>(i)] =
                           histogram.conflicts_of(genes.data() + static_cast<std::size_t>(i) * population.genes);
                   }
                 }};

const Twin partition{
    clopt::exchange::sort_by_slot,
    [](const Range& range, std::span<const std::uint32_t> genes, std::span<std::uint32_t> members,
       std::span<std::uint32_t> ends, Population population, LocalMemory<std::uint32_t>) {
      const auto individuals = static_cast<std::int64_t>(range.groups());
#pragma omp parallel for schedule(static)
      for (std::int64_t i = 0; i < individuals; ++i) {
        const auto own = genes.subspan(static_cast<std::size_t>(i) * population.genes, population.genes);
        const auto own_ends = ends.subspan(static_cast<std::size_t>(i) * population.slots, population.slots);
        std::vector<std::uint32_t> next(population.slots + 1);
        for (const auto gene : own) ++next[shared::exchange_gene_slot(gene) + 1];
        std::partial_sum(next.begin(), next.end(), next.begin());
        std::copy(next.begin() + 1, next.end(), own_ends.begin());
        for (std::uint32_t gene = 0; gene < population.genes; ++gene)
          members[static_cast<std::size_t>(i) * population.genes + next[shared::exchange_gene_slot(own[gene])]++] =
              gene;
      }
    }};

const Twin pairs{clopt::exchange::conflicts_by_pairs,
                 [](const Range& range, std::span<const std::uint32_t> genes, std::span<const std::uint32_t> members,
                    std::span<const std::uint32_t> ends, std::span<const Gene> table,
                    std::span<const std::uint16_t> paths, std::span<std::uint64_t> parts, Population population) {
                   const auto slots = static_cast<std::int64_t>(range.items[1] * range.items[2]);
                   const auto path_of = [&](std::uint32_t gene, std::uint32_t value) {
                     return paths.subspan(table[gene].first + shared::exchange_gene_path(value) * table[gene].hops,
                                          table[gene].hops);
                   };
#pragma omp parallel for schedule(dynamic, 16)
                   for (std::int64_t i = 0; i < slots; ++i) {
                     const auto individual = static_cast<std::size_t>(i) / population.slots;
                     const auto slot = static_cast<std::size_t>(i) % population.slots;
                     const auto own = genes.subspan(individual * population.genes, population.genes);
                     const auto own_ends = ends.subspan(individual * population.slots, population.slots);
                     const std::size_t begin = slot == 0 ? 0 : own_ends[slot - 1];
                     const auto own_members =
                         members.subspan(individual * population.genes + begin, own_ends[slot] - begin);
                     std::uint64_t shared_links = 0;
                     for (std::size_t a = 0; a < own_members.size(); ++a)
                       for (std::size_t b = a + 1; b < own_members.size(); ++b)
                         for (const auto link : path_of(own_members[a], own[own_members[a]]))
                           for (const auto other : path_of(own_members[b], own[own_members[b]]))
                             shared_links += link == other;
                     parts[static_cast<std::size_t>(i)] = shared_links;
                   }
                 }};

const Twin sum_slots{clopt::exchange::sum_slots,
                     [](const Range&, std::span<const std::uint64_t> parts, std::span<std::uint64_t> fitness,
                        std::uint32_t slots, std::uint32_t individuals) {
                       for (std::size_t i = 0; i < individuals; ++i) {
                         const auto own = parts.subspan(i * slots, slots);
                         fitness[i] = std::accumulate(own.begin(), own.end(), std::uint64_t{0});
                       }
                     }};

}  // namespace clopt::openmp::exchange
