/* Selection: weights, tries and the choice of a pair's parents. `real` is float or double, the type of costs; in OpenCL
 * C COSTS_SPACE is where they are. */
#ifndef CLOPT_SHARED_GENETIC_PARENTS_H
#define CLOPT_SHARED_GENETIC_PARENTS_H

#include "genetic.h"

#ifdef __OPENCL_VERSION__
#ifndef COSTS_SPACE
#define COSTS_SPACE global
#endif
#define GENETIC_GLOBAL global
#define GENETIC_WHEEL genetic_wheel
#else
#define COSTS_SPACE
#define GENETIC_GLOBAL
#define GENETIC_WHEEL genetic_wheel<real>
#endif

CLOPT_SHARED_BEGIN

/* An individual for a uniform word, or GENETIC_NONE for the few words that would make some likelier than others.
 * bias: 2^32 modulo population. */
CLOPT_SHARED uint genetic_index(uint word, uint population, uint bias) {
  return word * population >= bias ? uniform_below(word, population) : GENETIC_NONE;
}

/* The largest weight on the wheel, that of the least cost. */
CLOPT_SHARED_TEMPLATE(real) uint genetic_top_weight(real least, real greatest, uint whole) {
  if (!(least < greatest)) return 1u;
  return whole != 0u ? convert_uint(greatest - least) : GENETIC_FINE_WEIGHT;
}

/* An individual's weight on the roulette wheel: how far its cost is below the greatest finite one, which normalises the
 * population by its minimum and maximum. Costs that are whole numbers give exact weights, others are rounded down to
 * multiples of 2^-24 of the range. Where all finite costs are equal, so are the weights; without any, all are equal.
 * An infinite cost has no chance; where some are minus infinity, no other has. */
CLOPT_SHARED_TEMPLATE(real) uint genetic_weight(real cost, real least, real greatest, uint whole) {
  if (!(least < greatest)) return cost <= greatest || greatest < least ? 1u : 0u;
  if (!(cost <= greatest)) return 0u;
  if (whole != 0u) return convert_uint(greatest - cost);
  /* Halves, since the range of finite numbers may not be finite. */
  const real part = (greatest * (real)0.5f - cost * (real)0.5f) / (greatest * (real)0.5f - least * (real)0.5f);
  return convert_uint((part < (real)1 ? part : (real)1) * (real)16777216.0f);
}

/* Whether an individual of a weight is accepted at a try: with probability weight / top, exactly.
 * bias: 2^32 modulo top. */
CLOPT_SHARED uint genetic_accepts(uint word, uint weight, uint top, uint bias) {
  return word * top >= bias && uniform_below(word, top) < weight ? 1u : 0u;
}

/* The same where the bias is not computed yet: hardly any word needs it. */
CLOPT_SHARED uint genetic_accepts_fairly(uint word, uint weight, uint top) {
  const uint low = word * top;
  return (low >= top || low >= (0u - top) % top) && uniform_below(word, top) < weight ? 1u : 0u;
}

/* The parents after an individual was accepted: a second one must be another one. */
CLOPT_SHARED genetic_parents genetic_accepted(genetic_parents parents, uint individual) {
  if (parents.first == GENETIC_NONE)
    parents.first = individual;
  else if (parents.second == GENETIC_NONE && individual != parents.first)
    parents.second = individual;
  return parents;
}

/* Any individual but one, for a number below population - 1. */
CLOPT_SHARED uint genetic_other(uint number, uint individual) { return number < individual ? number : number + 1u; }

/* A place on a wheel of a size, below it, exactly uniform. y, z: whose; z even. */
CLOPT_SHARED ulong genetic_place(ulong seed, uint generation, uint y, uint z, ulong size) {
  for (;;) {
    const random_block block = random_at(seed, GENETIC_TURN_OF_WHEEL, generation, y, z);
    const ulong first = random_word_64(block.a, block.b);
    const ulong second = random_word_64(block.c, block.d);
    if (uniform_accepts_64(first, size) != 0u) return uniform_below_64(first, size);
    if (uniform_accepts_64(second, size) != 0u) return uniform_below_64(second, size);
    z += 4u;
  }
}

/* Stochastic universal sampling (Baker): where on the wheel the pointer of a slot is, of `slots` that are evenly apart;
 * offset is uniform below the wheel's size. The products do not overflow for up to 2^26 slots. */
CLOPT_SHARED ulong genetic_pointer(ulong size, uint slots, uint slot, ulong offset) {
  return slot * (size / slots) + (slot * (size % slots) + offset) / slots;
}

/* A random permutation of the slots, which forms the pairs: a Feistel network over the numbers of an
 * even number of bits, walked on until it leads back among the slots (Black and Rogaway's cycle walking). y: whose. */
CLOPT_SHARED uint genetic_shuffled(ulong seed, uint generation, uint y, uint slot, uint slots) {
  uint bits = 1u; /* of a half */
  while ((ulong)1 << (2u * bits) < slots) ++bits;
  do {
    uint left = slot >> bits;
    uint right = slot & ((1u << bits) - 1u);
    uint round;
    for (round = 0u; round < 6u; ++round) {
      const uint next = left ^ (random_at(seed, GENETIC_SHUFFLE, generation, y, round << 16 | right).a >> (32u - bits));
      left = right;
      right = next;
    }
    slot = left << bits | right;
  } while (slot >= slots);
  return slot;
}

/* The winner of a tournament so far, by cost, the lower number among equals. */
CLOPT_SHARED_TEMPLATE(real) uint genetic_winner(uint one, real cost_of_one, uint other, real cost_of_other) {
  /* Without branches, which lanes take differently. */
  const uint better = cost_of_other < cost_of_one ? other : min(one, other);
  return cost_of_one < cost_of_other ? one : better;
}

/* An island as its wheel is turned. */
#ifndef __OPENCL_VERSION__
template <class real>
#endif
struct genetic_wheel {
  COSTS_SPACE const real* costs;
  GENETIC_GLOBAL const ulong* sections; /* the sum of the weights of each section, if has_sections */
  uint has_sections;
  real least;
  real greatest;
  uint number; /* of the island */
};
#ifdef __OPENCL_VERSION__
typedef struct genetic_wheel genetic_wheel;
#endif

CLOPT_SHARED_TEMPLATE(real) uint genetic_weight_on(GENETIC_WHEEL w, genetic_settings run, uint i) {
  return genetic_weight(w.costs[i], w.least, w.greatest, run.whole);
}

CLOPT_SHARED_TEMPLATE(real) ulong genetic_wheel_size(GENETIC_WHEEL w, genetic_settings run) {
  ulong size = 0;
  if (w.has_sections != 0u) {
    for (uint i = 0u; i < GENETIC_SECTIONS(run); ++i) size += w.sections[i];
  } else {
    for (uint i = 0u; i < run.population; ++i) size += genetic_weight_on(w, run, i);
  }
  return size;
}

/* The individual at a place on the wheel from which one was removed. */
CLOPT_SHARED_TEMPLATE(real)
uint genetic_wheel_stops_at(GENETIC_WHEEL w, genetic_settings run, ulong place, uint left_out) {
  uint i = 0u;
  if (w.has_sections != 0u)
    for (uint section = 0u;; ++section) {
      ulong weight = w.sections[section];
      i = section * GENETIC_SECTION;
      if (left_out != GENETIC_NONE && left_out / GENETIC_SECTION == section)
        weight -= genetic_weight_on(w, run, left_out);
      if (place < weight) break;
      place -= weight;
    }
  for (;; ++i) {
    const uint weight = i == left_out ? 0u : genetic_weight_on(w, run, i);
    if (place < weight) return i;
    place -= weight;
  }
}

/* A parent from the wheel, or any other individual where only the other parent has a weight. */
CLOPT_SHARED_TEMPLATE(real)
uint genetic_parent_from_wheel(GENETIC_WHEEL w, genetic_settings run, uint generation, uint pair, uint left_out) {
  ulong size = genetic_wheel_size(w, run);
  if (left_out != GENETIC_NONE) size -= genetic_weight_on(w, run, left_out);
  if (size == 0)
    return genetic_other(
        genetic_below(run.seed, GENETIC_SELECTION, generation, genetic_pair_address(run, pair), GENETIC_TRY_BLOCKS,
                      run.population - 1u),
        left_out);
  return genetic_wheel_stops_at(
      w, run,
      genetic_place(run.seed, generation, genetic_pair_address(run, pair), left_out == GENETIC_NONE ? 0u : 2u, size),
      left_out);
}

/* Parents that are missing: an individual drawn uniformly is accepted with a probability that is its weight's part of
 * the top weight, again and again; what that does not find soon is found on the wheel. z: of the next try. */
CLOPT_SHARED_TEMPLATE(real)
genetic_parents genetic_roulette(GENETIC_WHEEL w, genetic_settings run, uint generation, uint pair,
                                 genetic_parents parents, uint z) {
  const uint top = genetic_top_weight(w.least, w.greatest, run.whole);
  const uint top_bias = (0u - top) % top;
  for (; z < GENETIC_TRY_BLOCKS && parents.second == GENETIC_NONE; ++z) {
    const random_block block = genetic_of_pair(run, GENETIC_SELECTION, generation, pair, z);
    const uint one = genetic_index(block.a, run.population, run.index_bias);
    const uint other = genetic_index(block.c, run.population, run.index_bias);
    if (one != GENETIC_NONE && genetic_accepts(block.b, genetic_weight_on(w, run, one), top, top_bias) != 0u)
      parents = genetic_accepted(parents, one);
    if (other != GENETIC_NONE && genetic_accepts(block.d, genetic_weight_on(w, run, other), top, top_bias) != 0u)
      parents = genetic_accepted(parents, other);
  }
  if (parents.first == GENETIC_NONE)
    parents.first = genetic_parent_from_wheel(w, run, generation, pair, GENETIC_NONE);
  if (parents.second == GENETIC_NONE)
    parents.second = genetic_parent_from_wheel(w, run, generation, pair, parents.first);
  return parents;
}

/* Draw z of a pair, for selections that need no weights. */
CLOPT_SHARED uint genetic_drawn(genetic_settings run, uint generation, uint pair, uint z, uint n) {
  return genetic_below(run.seed, GENETIC_SELECTION, generation, genetic_pair_address(run, pair), z, n);
}

/* How many individuals a parent is the best of, where that is how parents are found; else 0. */
CLOPT_SHARED uint genetic_contestants(genetic_settings run) {
  return run.selection == GENETIC_TOURNAMENT ? run.tournament : run.selection == GENETIC_RANK ? 2u : 0u;
}

/* Number i of them: of a tournament, or of linear ranking (Baker) without ranks. There, of two different individuals
 * drawn uniformly, the better one is rank r of P with probability 2 (P - 1 - r) / (P (P - 1)), which is the steepest
 * line; a mixture with uniform choice makes the others. */
CLOPT_SHARED uint genetic_contestant(genetic_settings run, uint generation, uint pair, uint parent, uint i) {
  if (run.selection == GENETIC_TOURNAMENT || i == 0u)
    return genetic_drawn(run, generation, pair, parent << 20 | i, run.population);
  {
    const uint one = genetic_drawn(run, generation, pair, parent << 20, run.population);
    const random_block block = genetic_of_pair(run, GENETIC_SELECTION, generation, pair, parent << 20 | 3u);
    if (genetic_decides(block.a, run.rank_mixture) == 0u) return one;
    return genetic_other(genetic_drawn(run, generation, pair, parent << 20 | 1u, run.population - 1u), one);
  }
}

CLOPT_SHARED_TEMPLATE(real)
uint genetic_best_contestant(GENETIC_WHEEL w, genetic_settings run, uint generation, uint pair, uint parent) {
  uint best = genetic_contestant(run, generation, pair, parent, 0u);
  for (uint i = 1u; i < genetic_contestants(run); ++i) {
    const uint other = genetic_contestant(run, generation, pair, parent, i);
    best = genetic_winner(best, w.costs[best], other, w.costs[other]);
  }
  return best;
}

/* The parents of a pair, numbers on its island; always two different ones. */
CLOPT_SHARED_TEMPLATE(real)
genetic_parents genetic_parents_of(GENETIC_WHEEL w, genetic_settings run, uint generation, uint pair) {
  genetic_parents parents;
  parents.first = GENETIC_NONE;
  parents.second = GENETIC_NONE;
  if (run.selection == GENETIC_ROULETTE) return genetic_roulette(w, run, generation, pair, parents, 0u);
  /* Without a try. Drawing from a wheel that lacks the first parent is drawing again until it is another one. */
  if (run.selection == GENETIC_ROULETTE_WALK)
    return genetic_roulette(w, run, generation, pair, parents, GENETIC_TRY_BLOCKS);
  if (run.selection == GENETIC_UNIVERSAL) {
    const uint slots = 2u * run.pairs;
    const uint slot = 2u * (pair - w.number * run.pairs);
    const ulong size = genetic_wheel_size(w, run);
    /* Whose offset it is cannot be a pair's: z is odd. */
    const uint y = genetic_island_address(run, w.number);
    const ulong offset = genetic_place(run.seed, generation, y, 1u, size);
    const ulong first = genetic_pointer(size, slots, genetic_shuffled(run.seed, generation, y, slot, slots), offset);
    const ulong second =
        genetic_pointer(size, slots, genetic_shuffled(run.seed, generation, y, slot + 1u, slots), offset);
    parents.first = genetic_wheel_stops_at(w, run, first, GENETIC_NONE);
    parents = genetic_accepted(parents, genetic_wheel_stops_at(w, run, second, GENETIC_NONE));
    return genetic_roulette(w, run, generation, pair, parents, 0u);
  }
  for (uint parent = 0u; parent <= GENETIC_REDRAWS && parents.second == GENETIC_NONE; ++parent)
    parents = genetic_accepted(parents, genetic_best_contestant(w, run, generation, pair, parent));
  if (parents.second == GENETIC_NONE)
    parents.second = genetic_other(
        genetic_drawn(run, generation, pair, (GENETIC_REDRAWS + 1u) << 20, run.population - 1u), parents.first);
  return parents;
}

CLOPT_SHARED_END

#endif
