/// \file
/// Crossover of a batch of pairs, for every kind of genes and all kernels that breed.
#include "batch.hpp"
#include "random.hpp"
#include "swaps.hpp"

#include <algorithm>
#include <utility>
#include <vector>

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

}  // namespace
}  // namespace clopt::openmp::genetic

#define CLOPT_CODE <openmp/genetic/copies_code.hpp>
#include <openmp/simd/each_set.hpp>

namespace clopt::openmp::genetic {
namespace {

void cross_bits(const uint32_t* population, uint32_t* children, const uint32_t* parents, const Settings& run,
                uint32_t generation, Batch batch) {
  uint64_t different[batch_pairs];
  CLOPT_BEST(copy_parents)(population, children, parents, run, batch, different);
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

// An element a gene.
void cross_genes(const uint32_t* population, uint32_t* children, const uint32_t* parents, const Settings& run,
                 uint32_t generation, Batch batch) {
  shared::genetic_points points[batch_pairs];
  draw_points(run, generation, batch, points);
  for (uint32_t i = 0; i < batch.size(); ++i) {
    const auto family = family_of(run, batch.begin + i, parents + 2 * i);
    auto* first = children + family.first_child * run.row;
    std::copy_n(population + family.first_parent * run.row, run.genes, first);
    std::vector<uint32_t> other(population + family.second_parent * run.row,
                                population + family.second_parent * run.row + run.genes);
    for (auto gene = points[i].first; gene <= points[i].last; ++gene)
      if (shared::genetic_gene_swapped(run, generation, batch.begin + i, gene, points[i]) != 0)
        std::swap(first[gene], other[gene]);
    if (family.has_second) std::copy(other.begin(), other.end(), children + family.second_child * run.row);
  }
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
    if (shared::genetic_is_unpacked(run) != 0)
      cross_genes(population, children, parents, run, generation, batch);
    else if (run.kind == GENETIC_BITS)
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
