/* Which genes of a pair's children are mutated. */
#ifndef CLOPT_SHARED_GENETIC_MUTATION_H
#define CLOPT_SHARED_GENETIC_MUTATION_H

#include "genetic.h"

CLOPT_SHARED_BEGIN

/* Which genes of a unit are mutated in a pair's children. */
struct genetic_masks {
  ulong first;
  ulong second;
};
typedef struct genetic_masks genetic_masks;

/* The block that says where the k-th mutated genes of a segment of a pair's children are. */
CLOPT_SHARED random_block genetic_gap_block(genetic_settings run, uint generation, uint pair, uint segment, uint k) {
  return genetic_of_pair(run, GENETIC_MUTATION, generation, pair, segment << 11 | k);
}
CLOPT_SHARED ulong genetic_gap_word(random_block block, uint child) {
  return child == 0u ? random_word_64(block.a, block.b) : random_word_64(block.c, block.d);
}

/* Whether no gene of a whole segment is mutated; most often so. */
CLOPT_SHARED uint genetic_keeps_segment(genetic_settings run, ulong word) { return word < run.keep_segment ? 1u : 0u; }

/* How many genes are kept before the next mutated one: at least m with the probability of keeping m genes in a row,
 * which is put together from its powers. For a word that does not keep the segment. */
CLOPT_SHARED uint genetic_gap_within(genetic_settings run, ulong word) {
  ulong chance = ~(ulong)0;
  uint gap = 0u;
  int k;
#ifdef __OPENCL_VERSION__
#pragma unroll
#endif
  for (k = GENETIC_POWERS - 1; k >= 0; --k) {
    const ulong less = mul_hi(chance, run.keep[k]);
    const uint beyond = word < less ? 1u : 0u;
    /* Without a branch, which is as likely mispredicted as not. */
    chance ^= (chance ^ less) & (0u - (ulong)beyond);
    gap += beyond << k;
  }
  return gap;
}

/* What the upper halves of the probabilities lack, at most: the first less than one unit, each product less than 2 more
 * than its factor. */
#define GENETIC_ROUGHNESS (2u * GENETIC_POWERS + 1u)
/* No gap: the upper halves do not determine it. */
#define GENETIC_UNSURE 0xffffffffu

/* The same by the upper halves of all numbers, in OpenCL: graphics processors have no products of 64 bits. The rarer
 * mutation is, the nearer are the probabilities of neighbours: with one gene in 1024 it is GENETIC_UNSURE about once in
 * 100,000 times, with one in 10^8 almost always. */
CLOPT_SHARED uint genetic_gap_roughly(genetic_settings run, ulong word) {
  const uint upper = (uint)(word >> 32);
  uint chance = 0xffffffffu;
  uint unsure = 0u;
  uint gap = 0u;
  int k;
#ifdef __OPENCL_VERSION__
#pragma unroll
#endif
  for (k = GENETIC_POWERS - 1; k >= 0; --k) {
    const uint less = mul_hi(chance, (uint)(run.keep[k] >> 32));
    const uint beyond = upper < less ? 1u : 0u;
    unsure |= upper - less < GENETIC_ROUGHNESS ? 1u : 0u;
    chance = beyond != 0u ? less : chance;
    gap += beyond << k;
  }
  return unsure != 0u ? GENETIC_UNSURE : gap;
}

/* genetic_gap_within(); whatever is beyond a segment is GENETIC_BEYOND, at once. */
CLOPT_SHARED uint genetic_gap(genetic_settings run, ulong word) {
  if (genetic_keeps_segment(run, word) != 0u) return GENETIC_BEYOND;
#ifdef __OPENCL_VERSION__
  {
    const uint gap = genetic_gap_roughly(run, word);
    if (gap != GENETIC_UNSURE) return gap;
  }
#endif
  return genetic_gap_within(run, word);
}

/* The mutated genes of a unit of one child, the sequence of gaps being followed from the segment's first gene. */
CLOPT_SHARED ulong genetic_gap_mask(genetic_settings run, uint generation, uint pair, uint child, uint unit,
                                    random_block first) {
  const uint segment = unit >> run.segment;
  const uint begin = (unit - (segment << run.segment)) * GENETIC_UNIT;
  const ulong word = genetic_gap_word(first, child);
  ulong mask = 0;
  uint k = 0u;
  uint place;
  if (genetic_keeps_segment(run, word) != 0u) return 0;
  place = genetic_gap(run, word);
  while (place < begin + GENETIC_UNIT) {
    if (place >= begin) mask |= (ulong)1 << (place - begin);
    ++k;
    place += 1u + genetic_gap(run, genetic_gap_word(genetic_gap_block(run, generation, pair, segment, k), child));
  }
  return mask;
}

/* The mutated genes of a unit of both children. first: the first gap block of the unit's segment, where gaps are the
 * way. */
CLOPT_SHARED genetic_masks genetic_mutated_after(genetic_settings run, uint generation, uint pair, uint unit,
                                                 random_block first) {
  const ulong existing = genetic_existing(run.genes, unit);
  genetic_masks masks;
  masks.first = 0;
  masks.second = 0;
  if (run.mutation_way == GENETIC_GAPS) {
    masks.first = existing & genetic_gap_mask(run, generation, pair, 0u, unit, first);
    masks.second = existing & genetic_gap_mask(run, generation, pair, 1u, unit, first);
  } else if (run.mutation_way == GENETIC_DENSE) {
    /* Units of the second child follow those of the first one. */
    const uint y = genetic_pair_address(run, pair);
    masks.first = genetic_decisions(run.seed, GENETIC_MUTATION, generation, y, unit, run.mutation, existing);
    masks.second =
        genetic_decisions(run.seed, GENETIC_MUTATION, generation, y, run.units + unit, run.mutation, existing);
  }
  return masks;
}

CLOPT_SHARED genetic_masks genetic_mutated(genetic_settings run, uint generation, uint pair, uint unit) {
  if (run.mutation_way == GENETIC_GAPS)
    return genetic_mutated_after(run, generation, pair, unit,
                                 genetic_gap_block(run, generation, pair, unit >> run.segment, 0u));
  {
    const random_block none = {0u, 0u, 0u, 0u};
    return genetic_mutated_after(run, generation, pair, unit, none);
  }
}

CLOPT_SHARED_END

#endif
