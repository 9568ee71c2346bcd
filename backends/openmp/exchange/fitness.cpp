/// \file
/// Twins of kernels_cl/exchange/links.cl and pairs.cl: a thread for an individual.
#include <openmp/team.hpp>
#include <openmp/twin.hpp>
#include "umda.hpp"

#include <exchange/umda/gene_rows.hpp>
#include <support/numbers/vectorize.hpp>

#include <algorithm>
#include <bit>
#include <numeric>
#include <type_traits>

namespace clopt::openmp::exchange {
namespace {

namespace operations = clopt::exchange::operations;

/// Calls \p work with a count that the compiler knows, from 1 to 8, so that no loop's end is mispredicted.
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
    default: return work(std::integral_constant<std::uint32_t, 8>());
  }
}

/// Where the paths of genes of one run lie, and what is to be added to their places: in vector registers, since the
/// counting itself cannot be.
CLOPT_VECTORIZE(void, find_places,
                (const std::uint32_t* genes, const std::uint32_t* first_places, const std::uint32_t* lowest_places,
                 std::uint32_t count, std::uint32_t step, std::uint32_t row, std::uint32_t* path_places,
                 std::uint32_t* rows),
                (genes, first_places, lowest_places, count, step, row, path_places, rows)) {
  for (std::uint32_t i = 0; i < count; ++i) {
    path_places[i] = first_places[i] + shared::exchange_gene_path(genes[i]) * step;
    rows[i] = shared::exchange_gene_slot(genes[i]) * row + lowest_places[i];
  }
}

/// Adds the uses of genes that have equally many hops, up to 8 hops of all of them at a time.
template <class Place>
void add_uses(const std::uint32_t* path_places, const std::uint32_t* rows, const Place* places, std::uint32_t genes,
              std::uint32_t hops, std::uint8_t* uses) {
  constexpr std::uint32_t most_known = 8;
  for (std::uint32_t first = 0; first < hops; first += most_known)
    with_known_count(std::min(hops - first, most_known), [=](auto count) {
      for (std::uint32_t i = 0; i < genes; ++i) {
        const Place* path = places + path_places[i] + first;
        std::uint8_t* row = uses + rows[i];
        for (std::uint32_t hop = 0; hop < count; ++hop) ++row[path[hop]];
      }
    });
}

/// The sum of some uses, and of their squares; whether none of them is above 127.
struct Sums {
  std::uint64_t uses = 0;
  std::uint64_t squares = 0;
  bool are_small = true;
};

/// Sums some uses up and makes them 0: those that fill no vector.
Sums take_plainly(std::uint8_t* uses, std::size_t count) {
  Sums sums;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t use = uses[i];
    sums.uses += use;
    sums.squares += use * use;
    sums.are_small = sums.are_small && use < 128;
    uses[i] = 0;
  }
  return sums;
}

}  // namespace
}  // namespace clopt::openmp::exchange

#define CLOPT_CODE <openmp/exchange/sums_code.hpp>
#include <openmp/simd/each_set.hpp>

namespace clopt::openmp::exchange {

LinkHistogram::LinkHistogram(const GenePaths& paths, const Population& population, std::uint32_t places)
    : paths_(paths), slots_(population.slots), links_(population.links), genes_(population.genes) {
  // Footprints are read by the byte, the first in the lowest bits.
  const bool has_footprints = places != 0 && std::endian::native == std::endian::little;
  is_narrow_ = has_footprints && paths.places_an_element == sizeof(std::uint64_t);
  row_ = has_footprints ? places : population.links;
  places_ = has_footprints ? static_cast<const void*>(paths.elements.data()) : paths.paths.data();
  uses_.resize(std::size_t{population.slots} * row_);
  for (std::uint32_t i = 0; i < population.genes; ++i) {
    const std::uint32_t hops = paths.table[i].hops;
    total_hops_ += hops;
    GeneRun run{i, hops, hops};
    if (has_footprints) {
      const Footprint& own = paths.footprints[i];
      const std::uint32_t each = paths.places_an_element;
      run.step = (hops + each - 1) / each * each;
      first_places_.push_back(shared::exchange_first_element(own.x) * each);
      lowest_places_.push_back(own.y);
    } else {
      first_places_.push_back(paths.table[i].first);
      lowest_places_.push_back(0);
    }
    if (runs_.empty() || runs_.back().hops != hops) runs_.push_back(run);
    runs_.back().end = i + 1;
  }
}

std::uint64_t LinkHistogram::conflicts_of(const std::uint32_t* genes, const std::uint32_t* next) {
  // Few enough genes at once that their results stay in the cache.
  constexpr std::uint32_t part = 256;
  std::uint32_t path_places[part];
  std::uint32_t rows[part];
  std::uint32_t begin = 0;
  for (const auto& run : runs_)
    for (std::uint32_t count = 0; begin < run.end; begin += count) {
      count = std::min(run.end - begin, part);
      find_places(genes + begin, first_places_.data() + begin, lowest_places_.data() + begin, count, run.step, row_,
                  path_places, rows);
      if (next != nullptr)
        for (std::uint32_t i = 0; i < count; i += 16) __builtin_prefetch(next + begin + i, 0, 2);
      if (is_narrow_)
        add_uses(path_places, rows, static_cast<const std::uint8_t*>(places_), count, run.hops, uses_.data());
      else
        add_uses(path_places, rows, static_cast<const std::uint16_t*>(places_), count, run.hops, uses_.data());
    }
  const Sums sums = CLOPT_BEST(take_sums)(uses_.data(), uses_.size());
  // A byte that overflowed has lost uses, which nothing gives back.
  return sums.uses == total_hops_ && sums.are_small ? (sums.squares - sums.uses) / 2 : with_wide_counters(genes);
}

std::uint64_t LinkHistogram::with_wide_counters(const std::uint32_t* genes) const {
  std::vector<std::uint32_t> uses(std::size_t{slots_} * links_);
  std::uint64_t conflicts = 0;
  for (std::size_t i = 0; i < genes_; ++i) {
    const Gene& gene = paths_.table[i];
    const auto path = paths_.paths.subspan(gene.first + shared::exchange_gene_path(genes[i]) * gene.hops, gene.hops);
    for (const auto link : path) conflicts += uses[std::size_t{shared::exchange_gene_slot(genes[i])} * links_ + link]++;
  }
  return conflicts;
}

namespace {

struct HistogramOfThread {
  LinkHistogram histogram;
  ThreadVector<std::uint32_t> unpacked;
};

}  // namespace

// Counters of a byte for each link: there is no local memory to be short of.
const Twin links{Implementation([](const Range& range, const operations::Links& arguments) {
  const Population& population = arguments.population;
  const clopt::exchange::Row& row = arguments.row;
  const auto individuals = range.groups();
  PerThread<HistogramOfThread> scratch;
  for_each_index(individuals, 1, [&](std::uint64_t i, unsigned thread) {
    auto& [histogram, unpacked] = scratch.of(thread, [&]() -> HistogramOfThread {
      return {
          {{arguments.footprints, arguments.elements, arguments.places_an_element, arguments.table, arguments.paths},
           population,
           arguments.row_words},
          ThreadVector<std::uint32_t>(row.pairs == 0 ? 0 : population.genes)};
    });
    const auto* own = arguments.genes.data() + i * row.words;
    const auto* next = row.pairs == 0 && i + 1 < individuals ? own + row.words : nullptr;
    if (row.pairs != 0) {
      clopt::exchange::unpack_genes(row, own, 0, unpacked);
      own = unpacked.data();
    }
    arguments.fitness[i] = histogram.conflicts_of(own, next);
  });
})};

const Twin partition{Implementation([](const Range& range, const operations::Partition& arguments) {
  const Population& population = arguments.population;
  for_each_index(range.groups(), 1, [&](std::uint64_t i) {
    const auto first = i * population.genes;
    const auto own = arguments.genes.subspan(first, population.genes);
    const auto own_ends = arguments.ends.subspan(i * population.slots, population.slots);
    std::vector<std::uint32_t> next(population.slots + 1);
    for (const auto gene : own) ++next[shared::exchange_gene_slot(gene) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::copy(next.begin() + 1, next.end(), own_ends.begin());
    for (std::uint32_t gene = 0; gene < population.genes; ++gene)
      arguments.members[first + next[shared::exchange_gene_slot(own[gene])]++] = gene;
  });
})};

namespace {

/// Links that the paths of some genes of an individual share, over all pairs of them.
std::uint64_t count_shared_links(const operations::Pairs& arguments, std::span<const std::uint32_t> genes,
                                 std::span<const std::uint32_t> members) {
  const auto path_of = [&](std::uint32_t number) {
    const Gene& gene = arguments.table[number];
    return arguments.paths.subspan(gene.first + shared::exchange_gene_path(genes[number]) * gene.hops, gene.hops);
  };
  std::uint64_t shared_links = 0;
  for (std::size_t a = 0; a < members.size(); ++a)
    for (std::size_t b = a + 1; b < members.size(); ++b)
      for (const auto link : path_of(members[a]))
        for (const auto other : path_of(members[b])) shared_links += link == other;
  return shared_links;
}

}  // namespace

const Twin pairs{Implementation([](const Range& range, const operations::Pairs& arguments) {
  const Population& population = arguments.population;
  const auto slots = range.items[1] * range.items[2];
  // Slots that a thread takes at a time.
  constexpr std::uint64_t together = 16;
  const auto count_slot = [&](std::uint64_t i) {
    const auto individual = i / population.slots;
    const auto slot = i % population.slots;
    const auto own_ends = arguments.ends.subspan(individual * population.slots, population.slots);
    const std::size_t begin = slot == 0 ? 0 : own_ends[slot - 1];
    arguments.parts[i] =
        count_shared_links(arguments, arguments.genes.subspan(individual * population.genes, population.genes),
                           arguments.members.subspan(individual * population.genes + begin, own_ends[slot] - begin));
  };
  for_each_part((slots + together - 1) / together, [&](std::size_t part) {
    const auto begin = part * together;
    for (auto i = begin; i < std::min<std::uint64_t>(begin + together, slots); ++i) count_slot(i);
  });
})};

const Twin sum_slots{Implementation([](const Range&, const operations::SumSlots& arguments) {
  for (std::size_t i = 0; i < arguments.individuals; ++i) {
    const auto own = arguments.parts.subspan(i * arguments.slots, arguments.slots);
    arguments.fitness[i] = std::accumulate(own.begin(), own.end(), std::uint64_t{0});
  }
})};

}  // namespace clopt::openmp::exchange
