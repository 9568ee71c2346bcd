/// \file
/// Crossover of a batch of pairs, for every kind of genes and all kernels that breed.
#include "batch.hpp"

#include <support/numbers/instruction_set.hpp>
#include "random.hpp"
#include "swaps.hpp"

#include <algorithm>

#include <openmp/simd/intrinsics.hpp>

namespace clopt::openmp::genetic {
namespace {

using std::uint32_t;
using std::uint64_t;

/// Populations of this many elements do not stay in a core's caches.
constexpr uint64_t elements_beyond_caches = uint64_t{1} << 18;

/// Words of 64 bits, as the rows of bits are made of.
uint64_t* units_of(uint32_t* elements, const Settings& run, uint64_t individual) {
  return reinterpret_cast<uint64_t*>(elements + individual * run.row);
}
const uint64_t* units_of(const uint32_t* elements, const Settings& run, uint64_t individual) {
  return reinterpret_cast<const uint64_t*>(elements + individual * run.row);
}

/// The points of a batch's pairs.
void draw_points(const Settings& run, uint32_t generation, Batch batch, shared::genetic_points* points) {
  const PairBlocks<1> blocks(run, GENETIC_POINTS, generation, batch);
  for (uint32_t i = 0; i < batch.size(); ++i)
    points[i] = shared::genetic_points_of(run, generation, batch.begin + i, block_of(blocks.ab[i], blocks.cd[i]));
}

/// Begins to load the parents of a pair that comes soon: in a large population they are anywhere.
void prefetch_parents(const uint32_t* population, const uint32_t* parents, const Settings& run, uint32_t pair) {
  constexpr uint32_t line = 64 / sizeof(uint32_t);
  constexpr uint32_t most_lines = 8;
  const auto family = family_of(run, pair, parents);
  for (const auto parent : {family.first_parent, family.second_parent})
    for (uint32_t element = 0; element < std::min(run.row, most_lines * line); element += line)
      __builtin_prefetch(population + parent * run.row + element);
}

/// Copies a row of units to each child. \returns in which runs of 2^shift units the parents differ, a bit each.
struct CopyPair {
  [[gnu::always_inline]] uint64_t operator()(const uint64_t* a, const uint64_t* b, uint64_t* __restrict first,
                                             uint64_t* __restrict second, uint32_t units, uint32_t shift) const {
    uint64_t different = 0;
    for (uint32_t unit = 0; unit < units; ++unit) {
      const auto from_a = a[unit];
      const auto from_b = b[unit];
      different |= uint64_t{from_a != from_b} << (unit >> shift);
      first[unit] = from_a;
      second[unit] = from_b;
    }
    return different;
  }
};

#ifdef __x86_64__
/// The same by masks of lanes, which take rows of any length without a rest.
struct CopyPairByMasks {
  __attribute__((target("avx512f"))) uint64_t operator()(const uint64_t* a, const uint64_t* b, uint64_t* first,
                                                         uint64_t* second, uint32_t units, uint32_t shift) const {
    constexpr uint32_t lanes = 8;
    uint64_t different = 0;
    for (uint32_t unit = 0; unit < units; unit += lanes) {
      const auto exist = static_cast<__mmask8>(0xffU >> (lanes - std::min(lanes, units - unit)));
      const __m512i from_a = _mm512_maskz_loadu_epi64(exist, a + unit);
      const __m512i from_b = _mm512_maskz_loadu_epi64(exist, b + unit);
      _mm512_mask_storeu_epi64(first + unit, exist, from_a);
      _mm512_mask_storeu_epi64(second + unit, exist, from_b);
      const uint64_t mask = _mm512_cmpneq_epi64_mask(from_a, from_b);
      if (shift == 0)
        different |= mask << unit;
      else
        for (uint32_t lane = 0; lane < lanes; ++lane) different |= (mask >> lane & 1) << ((unit + lane) >> shift);
    }
    return different;
  }
};
#endif

/// Copies the parents of a batch's pairs to where the children are to be. different: of each pair, see CopyPair.
template <class Copy>
[[gnu::always_inline]] inline void copy_all(const uint32_t* population, uint32_t* children, const uint32_t* parents,
                                            const Settings& run, Batch batch, uint64_t* different, Copy copy) {
  constexpr uint32_t pairs_ahead = 6;
  const bool is_large = uint64_t{run.population} * run.row > elements_beyond_caches;
  const auto shift = Swaps::run_of_units(run);
  for (uint32_t i = 0; i < batch.size(); ++i) {
    if (is_large && i + pairs_ahead < batch.size())
      prefetch_parents(population, parents + 2 * (i + pairs_ahead), run, batch.begin + i + pairs_ahead);
    const auto pair = batch.begin + i;
    const auto family = family_of(run, pair, parents + 2 * i);
    const auto* a = units_of(population, run, family.first_parent);
    const auto* b = units_of(population, run, family.second_parent);
    auto* first = units_of(children, run, family.first_child);
    different[i] = ~uint64_t{0};
    if (family.has_second)
      different[i] = copy(a, b, first, units_of(children, run, family.second_child), run.units, shift);
    else
      std::copy_n(a, run.units, first);
  }
}

void copy_parents(const uint32_t* population, uint32_t* children, const uint32_t* parents, const Settings& run,
                  Batch batch, uint64_t* different) {
  copy_all(population, children, parents, run, batch, different, CopyPair{});
}

#ifdef __x86_64__
__attribute__((target("avx2"))) void copy_parents_by_vectors(const uint32_t* population, uint32_t* children,
                                                             const uint32_t* parents, const Settings& run, Batch batch,
                                                             uint64_t* different) {
  copy_all(population, children, parents, run, batch, different, CopyPair{});
}
__attribute__((target("avx512f"))) void copy_parents_by_masks(const uint32_t* population, uint32_t* children,
                                                              const uint32_t* parents, const Settings& run, Batch batch,
                                                              uint64_t* different) {
  copy_all(population, children, parents, run, batch, different, CopyPairByMasks{});
}
#endif

void cross_bits(const uint32_t* population, uint32_t* children, const uint32_t* parents, const Settings& run,
                uint32_t generation, Batch batch) {
  uint64_t different[batch_pairs];
#ifdef __x86_64__
  if (uses_avx512())
    copy_parents_by_masks(population, children, parents, run, batch, different);
  else if (uses_avx2())
    copy_parents_by_vectors(population, children, parents, run, batch, different);
  else
#endif
    copy_parents(population, children, parents, run, batch, different);
  // Parents that are equal have the children already.
  uint32_t pairs[batch_pairs];
  uint32_t count = 0;
  for (uint32_t i = 0; i < batch.size(); ++i) {
    pairs[count] = batch.begin + i;
    count += different[i] != 0 ? 1 : 0;
  }
  uint64_t ab[batch_pairs];
  uint64_t cd[batch_pairs];
  std::fill(pairs + count, pairs + batch_pairs, batch.begin);
  uint32_t y[batch_pairs];
  for (uint32_t i = 0; i < batch_pairs; ++i) y[i] = shared::genetic_pair_address(run, pairs[i]);
  random_blocks(run.seed, GENETIC_POINTS, generation, y, 0U, count, ab, cd);
  Swaps swaps(run, generation);
  for (uint32_t i = 0; i < count; ++i) {
    const auto pair = pairs[i];
    const auto points = shared::genetic_points_of(run, generation, pair, block_of(ab[i], cd[i]));
    const auto family = family_of(run, pair, parents + 2 * (pair - batch.begin));
    const auto* a = units_of(population, run, family.first_parent);
    const auto* b = units_of(population, run, family.second_parent);
    auto* first = units_of(children, run, family.first_child);
    auto* second = family.has_second ? units_of(children, run, family.second_child) : nullptr;
    swaps.add(pair, points, different[pair - batch.begin], a, b, first, second);
  }
  swaps.finish();
}

template <class Element, class Real>
void cross_numbers(const Element* population, Element* children, const uint32_t* parents, const Real* numbers,
                   const Settings& run, uint32_t generation, Batch batch) {
  shared::genetic_points points[batch_pairs];
  draw_points(run, generation, batch, points);
  for (uint32_t i = 0; i < batch.size(); ++i) {
    const auto pair = batch.begin + i;
    const auto family = family_of(run, pair, parents + 2 * i);
    const auto* mother = population + family.first_parent * run.row;
    const auto* father = population + family.second_parent * run.row;
    auto* first = children + family.first_child * run.row;
    auto* second = family.has_second ? children + family.second_child * run.row : nullptr;
    std::copy_n(mother, run.genes, first);
    if (second) std::copy_n(father, run.genes, second);
    for (auto begin = points[i].first; begin <= points[i].last; begin += batch_pairs) {
      const auto count = std::min(batch_pairs, points[i].last - begin + 1);
      uint32_t y[batch_pairs];
      uint32_t z[batch_pairs];
      uint64_t ab[batch_pairs];
      uint64_t cd[batch_pairs];
      for (uint32_t j = 0; j < batch_pairs; ++j) {
        y[j] = shared::genetic_pair_address(run, pair);
        z[j] = begin + j;
      }
      random_blocks(run.seed, GENETIC_CROSSOVER, generation, y, z, count, ab, cd);
      for (uint32_t j = 0; j < count; ++j) {
        const auto block = block_of(ab[j], cd[j]);
        if (shared::genetic_decides(block.a, run.crossover) == 0) continue;
        const auto gene = begin + j;
        const auto bounds = GENETIC_BOUNDS + (run.bounds_each != 0 ? 2 * std::size_t{gene} : 0);
        const auto crossed = [&](Element a, Element b, uint32_t word) {
          return shared::genetic_crossed<Element, Real>(run, a, b, word, block.d, numbers[GENETIC_EXTENSION],
                                                        numbers[GENETIC_CROSSOVER_POWER], numbers[bounds],
                                                        numbers[bounds + 1]);
        };
        first[gene] = crossed(mother[gene], father[gene], block.b);
        if (second) second[gene] = crossed(father[gene], mother[gene], block.c);
      }
    }
  }
}

void cross_permutations(const uint32_t* population, uint32_t* children, const uint32_t* parents, uint32_t* scratch,
                        const Settings& run, uint32_t generation, Batch batch) {
  const auto words = (run.genes + 31) / 32;
  for (auto pair = batch.begin; pair < batch.end; ++pair) {
    const auto family = family_of(run, pair, parents + 2 * (pair - batch.begin));
    const auto block = shared::genetic_of_pair(run, GENETIC_ORDER, generation, pair, 0);
    auto points = shared::genetic_draw_points(run, generation, pair);
    if (shared::genetic_decides(block.a, run.crossover) == 0) points = {0, run.genes - 1};
    const auto* a = population + family.first_parent * run.row;
    const auto* b = population + family.second_parent * run.row;
    shared::genetic_order_child(a, b, children + family.first_child * run.row, scratch + family.first_child * words,
                                run.genes, points);
    if (family.has_second)
      shared::genetic_order_child(b, a, children + family.second_child * run.row, scratch + family.second_child * words,
                                  run.genes, points);
  }
}

}  // namespace

template <class Element, class Real>
void cross_batch(const Element* population, Element* children, const uint32_t* parents, const Real* numbers,
                 uint32_t* scratch, const Settings& run, uint32_t generation, Batch batch) {
  if constexpr (std::is_same_v<Element, uint32_t>) {
    if (run.kind == GENETIC_BITS)
      cross_bits(population, children, parents, run, generation, batch);
    else
      cross_permutations(population, children, parents, scratch, run, generation, batch);
  } else {
    cross_numbers(population, children, parents, numbers, run, generation, batch);
  }
}

#define INSTANTIATE(Element, Real)                                                                              \
  template void cross_batch(const Element*, Element*, const uint32_t*, const Real*, uint32_t*, const Settings&, \
                            uint32_t, Batch);
INSTANTIATE(uint32_t, float)
INSTANTIATE(uint32_t, double)
INSTANTIATE(std::int32_t, float)
INSTANTIATE(std::int32_t, double)
INSTANTIATE(float, float)
INSTANTIATE(double, double)
#undef INSTANTIATE
}  // namespace clopt::openmp::genetic
