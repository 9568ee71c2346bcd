#include "genetic_breeding.hpp"

#include <support/vectorize.hpp>
#include "genetic_random.hpp"
#include "genetic_swaps.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace clopt::openmp::genetic {
namespace {

using std::uint32_t;
using std::uint64_t;

/// Populations of so many elements do not stay in a core's caches.
constexpr uint64_t elements_beyond_caches = uint64_t{1} << 18;

/// Words of 64 bits, as the rows of bits are made of.
uint64_t* units_of(uint32_t* elements, const Settings& run, uint64_t individual) {
  return reinterpret_cast<uint64_t*>(elements + individual * run.row);
}
const uint64_t* units_of(const uint32_t* elements, const Settings& run, uint64_t individual) {
  return reinterpret_cast<const uint64_t*>(elements + individual * run.row);
}

shared::random_block block_of(uint64_t ab, uint64_t cd) {
  return {static_cast<uint32_t>(ab), static_cast<uint32_t>(ab >> 32), static_cast<uint32_t>(cd),
          static_cast<uint32_t>(cd >> 32)};
}

/// Blocks of random numbers for a batch's pairs, at z = 0, 1, ...
template <uint32_t most_blocks>
struct PairBlocks {
  uint64_t ab[most_blocks * batch_pairs];
  uint64_t cd[most_blocks * batch_pairs];

  /// Block z of pair i is at z * batch_pairs + i.
  PairBlocks(const Settings& run, uint32_t purpose, uint32_t generation, Batch batch) {
    uint32_t y[most_blocks * batch_pairs];
    uint32_t z[most_blocks * batch_pairs];
    for (uint32_t block = 0; block < most_blocks; ++block)
      for (uint32_t i = 0; i < batch_pairs; ++i) {
        y[block * batch_pairs + i] = batch.begin + i;
        z[block * batch_pairs + i] = block;
      }
    random_blocks(run.seed, purpose, generation, y, z, most_blocks * batch_pairs, ab, cd);
  }
};

/// The points of a batch's pairs.
void draw_points(const Settings& run, uint32_t generation, Batch batch, shared::genetic_points* points) {
  const PairBlocks<1> blocks(run, GENETIC_POINTS, generation, batch);
  for (uint32_t i = 0; i < batch.size(); ++i)
    points[i] = shared::genetic_points_of(run, generation, batch.begin + i, block_of(blocks.ab[i], blocks.cd[i]));
}

/// Blocks that most pairs find their parents in, with two tries each.
constexpr uint32_t try_blocks = 3;

/// One try of each pair of a batch: the individual drawn, and whether it is accepted. words: the individual's in the
/// lower half, its chance's in the upper one.
template <class Real>
[[gnu::always_inline]] inline void try_all(const uint64_t* words, const Real* costs, Real least, Real greatest,
                                           uint32_t whole, uint32_t population, uint32_t bias, uint32_t top,
                                           uint32_t top_bias, uint32_t* individual, uint32_t* accepted) {
  for (uint32_t i = 0; i < batch_pairs; ++i) {
    const auto word = static_cast<uint32_t>(words[i]);
    const auto chance = static_cast<uint32_t>(words[i] >> 32);
    const auto index = static_cast<uint32_t>(uint64_t{word} * population >> 32);
    const auto weight = shared::genetic_weight<Real>(costs[index], least, greatest, whole);
    individual[i] = index;
    accepted[i] =
        static_cast<uint32_t>(word * population >= bias) & shared::genetic_accepts(chance, weight, top, top_bias);
  }
}

CLOPT_VECTORIZE void try_batch(const uint64_t* words, const float* costs, float least, float greatest, uint32_t whole,
                               uint32_t population, uint32_t bias, uint32_t top, uint32_t top_bias,
                               uint32_t* individual, uint32_t* accepted) {
  if (whole != 0 && least < greatest)
    try_all(words, costs, least, greatest, 1U, population, bias, top, top_bias, individual, accepted);
  else
    try_all(words, costs, least, greatest, whole, population, bias, top, top_bias, individual, accepted);
}
CLOPT_VECTORIZE void try_batch(const uint64_t* words, const double* costs, double least, double greatest,
                               uint32_t whole, uint32_t population, uint32_t bias, uint32_t top, uint32_t top_bias,
                               uint32_t* individual, uint32_t* accepted) {
  try_all(words, costs, least, greatest, whole, population, bias, top, top_bias, individual, accepted);
}

/// genetic_roulette() for a batch.
template <class Real>
void roulette_batch(const shared::genetic_wheel<Real>& wheel, const Settings& run, uint32_t generation, Batch batch,
                    uint32_t* parents) {
  const PairBlocks<try_blocks> blocks(run, GENETIC_SELECTION, generation, batch);
  const auto top = shared::genetic_top_weight<Real>(wheel.least, wheel.greatest, run.whole);
  const auto top_bias = (0U - top) % top;
  constexpr uint32_t tries = 2 * try_blocks;
  uint32_t individual[tries][batch_pairs];
  uint32_t accepted[tries][batch_pairs];
  for (uint32_t t = 0; t < tries; ++t)
    try_batch((t % 2 == 0 ? blocks.ab : blocks.cd) + t / 2 * batch_pairs, wheel.costs, wheel.least, wheel.greatest,
              run.whole, run.population, run.index_bias, top, top_bias, individual[t], accepted[t]);
  for (uint32_t i = 0; i < batch.size(); ++i) {
    uint32_t mask = 0;
    for (uint32_t t = 0; t < tries; ++t) mask |= accepted[t][i] << t;
    shared::genetic_parents found{GENETIC_NOBODY, GENETIC_NOBODY};
    for (; mask != 0 && found.second == GENETIC_NOBODY; mask &= mask - 1)
      found = shared::genetic_accepted(found, individual[std::countr_zero(mask)][i]);
    if (found.second == GENETIC_NOBODY)
      found = shared::genetic_roulette<Real>(wheel, run, generation, batch.begin + i, found, try_blocks);
    parents[2 * (std::size_t{batch.begin} + i)] = found.first;
    parents[2 * (std::size_t{batch.begin} + i) + 1] = found.second;
  }
}

/// Begins to load the parents of a pair that comes soon: in a large population they are anywhere.
void prefetch_parents(const uint32_t* population, const uint32_t* parents, const Settings& run, uint32_t pair) {
  constexpr uint32_t line = 64 / sizeof(uint32_t);
  constexpr uint32_t most_lines = 8;
  const auto family = family_of(run, pair, parents + 2 * std::size_t{pair});
  for (const auto parent : {family.first_parent, family.second_parent})
    for (uint32_t element = 0; element < std::min(run.row, most_lines * line); element += line)
      __builtin_prefetch(population + parent * run.row + element);
}

/// Copies a row of units to each child. \returns bits in which the parents differ in any unit.
[[gnu::always_inline]] inline uint64_t copy_pair(const uint64_t* a, const uint64_t* b, uint64_t* first,
                                                 uint64_t* second, uint32_t units) {
  uint64_t different = 0;
  for (uint32_t unit = 0; unit < units; ++unit) {
    const auto from_a = a[unit];
    const auto from_b = b[unit];
    different |= from_a ^ from_b;
    first[unit] = from_a;
    second[unit] = from_b;
  }
  return different;
}

/// Copies the parents of a batch's pairs to where the children are to be. different: whether two parents are.
CLOPT_VECTORIZE void copy_parents(const uint32_t* population, uint32_t* children, const uint32_t* parents,
                                  const Settings& run, Batch batch, uint64_t* different) {
  constexpr uint32_t pairs_ahead = 6;
  const bool is_large = uint64_t{run.population} * run.row > elements_beyond_caches;
  for (uint32_t i = 0; i < batch.size(); ++i) {
    if (is_large && i + pairs_ahead < batch.size())
      prefetch_parents(population, parents, run, batch.begin + i + pairs_ahead);
    const auto pair = batch.begin + i;
    const auto family = family_of(run, pair, parents + 2 * std::size_t{pair});
    const auto* a = units_of(population, run, family.first_parent);
    const auto* b = units_of(population, run, family.second_parent);
    auto* first = units_of(children, run, family.first_child);
    different[i] =
        copy_pair(a, b, first, family.has_second ? units_of(children, run, family.second_child) : first, run.units);
    if (!family.has_second) std::copy_n(a, run.units, first);
  }
}

void cross_bits(const uint32_t* population, uint32_t* children, const uint32_t* parents, const Settings& run,
                uint32_t generation, Batch batch) {
  uint64_t different[batch_pairs];
  copy_parents(population, children, parents, run, batch, different);
  // Parents that are equal have the children already.
  uint32_t pairs[batch_pairs];
  uint32_t count = 0;
  for (uint32_t i = 0; i < batch.size(); ++i) {
    pairs[count] = batch.begin + i;
    count += different[i] != 0 ? 1 : 0;
  }
  const uint32_t zeros[batch_pairs] = {};
  uint64_t ab[batch_pairs];
  uint64_t cd[batch_pairs];
  std::fill(pairs + count, pairs + batch_pairs, batch.begin);
  random_blocks(run.seed, GENETIC_POINTS, generation, pairs, zeros, count, ab, cd);
  Swaps swaps(run, generation);
  uint64_t nothing = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const auto pair = pairs[i];
    const auto points = shared::genetic_points_of(run, generation, pair, block_of(ab[i], cd[i]));
    const auto family = family_of(run, pair, parents + 2 * std::size_t{pair});
    const auto* a = units_of(population, run, family.first_parent);
    const auto* b = units_of(population, run, family.second_parent);
    auto* first = units_of(children, run, family.first_child);
    auto* second = family.has_second ? units_of(children, run, family.second_child) : nullptr;
    for (auto unit = points.first / GENETIC_UNIT; unit <= points.last / GENETIC_UNIT; ++unit) {
      const auto asked = (a[unit] ^ b[unit]) & shared::genetic_between(points, unit);
      if (asked != 0) swaps.add(pair, unit, asked, first + unit, second ? second + unit : &nothing);
    }
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
    const auto family = family_of(run, pair, parents + 2 * std::size_t{pair});
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
        y[j] = pair;
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
    const auto family = family_of(run, pair, parents + 2 * std::size_t{pair});
    const auto block = shared::random_at(run.seed, GENETIC_ORDER, generation, pair, 0);
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

/// Calls visit(pair, child, unit, mask) for the units of a segment of one child in which genes are mutated.
template <class Visit>
void follow_gaps(const Settings& run, uint32_t generation, uint32_t pair, uint32_t child, uint32_t segment,
                 uint64_t word, Visit visit) {
  const auto begin = segment << run.segment;
  const auto end = std::min(GENETIC_UNIT << run.segment, run.genes - begin * GENETIC_UNIT);
  uint32_t unit = 0;
  uint64_t mask = 0;
  uint32_t k = 0;
  for (auto gene = shared::genetic_gap(run, word); gene < end; gene += 1 + shared::genetic_gap(run, word)) {
    if (gene / GENETIC_UNIT != unit) {
      if (mask != 0) visit(pair, child, begin + unit, mask);
      unit = gene / GENETIC_UNIT;
      mask = 0;
    }
    mask |= uint64_t{1} << gene % GENETIC_UNIT;
    word = shared::genetic_gap_word(shared::genetic_gap_block(run, generation, pair, segment, ++k), child);
  }
  if (mask != 0) visit(pair, child, begin + unit, mask);
}

/// Calls visit(pair, child, unit, mask) for the units of a batch's children in which genes are mutated.
template <class Visit>
void for_each_mutated(const Settings& run, uint32_t generation, Batch batch, Visit visit) {
  if (run.mutation_way == GENETIC_NEVER) return;
  if (run.mutation_way == GENETIC_DENSE) {
    for (auto pair = batch.begin; pair < batch.end; ++pair)
      for (uint32_t unit = 0; unit < run.units; ++unit) {
        const auto masks = shared::genetic_mutated(run, generation, pair, unit);
        if (masks.first != 0) visit(pair, 0U, unit, masks.first);
        if (masks.second != 0) visit(pair, 1U, unit, masks.second);
      }
    return;
  }
  // Most segments have no mutated gene, which their first block tells.
  const auto segments = ((run.units - 1) >> run.segment) + 1;
  uint32_t y[batch_pairs];
  uint32_t z[batch_pairs];
  uint64_t ab[batch_pairs];
  uint64_t cd[batch_pairs];
  for (uint32_t i = 0; i < batch_pairs; ++i) y[i] = batch.begin + i;
  for (uint32_t segment = 0; segment < segments; ++segment) {
    std::fill_n(z, batch_pairs, segment << 11);
    random_blocks(run.seed, GENETIC_MUTATION, generation, y, z, batch.size(), ab, cd);
    for (uint32_t i = 0; i < batch.size(); ++i) {
      if (ab[i] >= run.keep_segment) follow_gaps(run, generation, y[i], 0, segment, ab[i], visit);
      if (cd[i] >= run.keep_segment) follow_gaps(run, generation, y[i], 1, segment, cd[i], visit);
    }
  }
}

/// A child among all individuals; none for the second one of the last pair of an odd number.
std::optional<uint64_t> child_of(const Settings& run, uint32_t pair, uint32_t child) {
  const uint32_t no_parents[2] = {};
  const auto family = family_of(run, pair, no_parents);
  if (child == 0) return family.first_child;
  return family.has_second ? std::optional(family.second_child) : std::nullopt;
}

void mutate_bits(uint32_t* children, const Settings& run, uint32_t generation, Batch batch) {
  for_each_mutated(run, generation, batch, [&](uint32_t pair, uint32_t child, uint32_t unit, uint64_t mask) {
    if (const auto individual = child_of(run, pair, child)) units_of(children, run, *individual)[unit] ^= mask;
  });
}

template <class Element, class Real>
void mutate_numbers(Element* children, const Real* numbers, const Settings& run, uint32_t generation, Batch batch) {
  for_each_mutated(run, generation, batch, [&](uint32_t pair, uint32_t child, uint32_t unit, uint64_t mask) {
    const auto individual = child_of(run, pair, child);
    for (; individual && mask != 0; mask &= mask - 1) {
      const auto gene = unit * GENETIC_UNIT + static_cast<uint32_t>(std::countr_zero(mask));
      const auto bounds = GENETIC_BOUNDS + (run.bounds_each != 0 ? 2 * std::size_t{gene} : 0);
      auto& element = children[*individual * run.row + gene];
      element = shared::genetic_changed<Element, Real>(
          run, element,
          shared::random_at(run.seed, GENETIC_CHANGE, generation, static_cast<uint32_t>(*individual), gene),
          numbers[GENETIC_STEP_SIZE], numbers[GENETIC_MUTATION_POWER], numbers[bounds], numbers[bounds + 1]);
    }
  });
}

void mutate_permutations(uint32_t* children, const Settings& run, uint32_t generation, Batch batch) {
  for_each_mutated(run, generation, batch, [&](uint32_t pair, uint32_t child, uint32_t unit, uint64_t mask) {
    if (const auto individual = child_of(run, pair, child))
      shared::genetic_rearrange(children + *individual * run.row, run, generation, static_cast<uint32_t>(*individual),
                                unit, mask);
  });
}

}  // namespace

template <class Real>
void select_batch(const shared::genetic_wheel<Real>& wheel, const Settings& run, uint32_t generation, Batch batch,
                  uint32_t* parents) {
  if (run.selection == GENETIC_ROULETTE) return roulette_batch(wheel, run, generation, batch, parents);
  for (auto pair = batch.begin; pair < batch.end; ++pair) {
    const auto found = shared::genetic_parents_of<Real>(wheel, run, generation, pair);
    parents[2 * std::size_t{pair}] = found.first;
    parents[2 * std::size_t{pair} + 1] = found.second;
  }
}

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

template <class Element, class Real>
void mutate_batch(Element* children, const Real* numbers, const Settings& run, uint32_t generation, Batch batch) {
  if constexpr (std::is_same_v<Element, uint32_t>) {
    if (run.kind == GENETIC_BITS)
      mutate_bits(children, run, generation, batch);
    else
      mutate_permutations(children, run, generation, batch);
  } else {
    mutate_numbers(children, numbers, run, generation, batch);
  }
}

#define INSTANTIATE(Element, Real)                                                                              \
  template void cross_batch(const Element*, Element*, const uint32_t*, const Real*, uint32_t*, const Settings&, \
                            uint32_t, Batch);                                                                   \
  template void mutate_batch(Element*, const Real*, const Settings&, uint32_t, Batch);
INSTANTIATE(uint32_t, float)
INSTANTIATE(uint32_t, double)
INSTANTIATE(std::int32_t, float)
INSTANTIATE(std::int32_t, double)
INSTANTIATE(float, float)
INSTANTIATE(double, double)
#undef INSTANTIATE
template void select_batch(const shared::genetic_wheel<float>&, const Settings&, uint32_t, Batch, uint32_t*);
template void select_batch(const shared::genetic_wheel<double>&, const Settings&, uint32_t, Batch, uint32_t*);

}  // namespace clopt::openmp::genetic
