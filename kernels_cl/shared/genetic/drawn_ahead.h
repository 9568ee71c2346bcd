/* What is drawn ahead for a pair of bits: random numbers do not depend on the population. */
#ifndef CLOPT_SHARED_GENETIC_DRAWN_AHEAD_H
#define CLOPT_SHARED_GENETIC_DRAWN_AHEAD_H

#include "mutation.h"
#include "parents.h"

/* Blocks of tries that are drawn ahead; a pair that needs more draws them. */
#define GENETIC_AHEAD_TRIES 16u

/* Parents by contests that are drawn ahead, and the words that their contestants may take of those of the tries. */
#define GENETIC_AHEAD_PARENTS 3u
#define GENETIC_AHEAD_WORDS 16u

CLOPT_SHARED_BEGIN

/* Words of 64 bits from one pair to the next: for each unit which genes are mutated in the first child and in the
 * second one, then for each unit which genes change places; an even number, so that two words may be read at once. */
CLOPT_SHARED uint genetic_ahead_row(uint units) { return 3u * units + (units & 1u); }

/* A block of tries: an individual (GENETIC_NONE for a word that is rejected), the word that decides about it, and the
 * same again. */
CLOPT_SHARED random_block genetic_ahead_try(genetic_settings run, uint generation, uint pair, uint z) {
  random_block block = genetic_of_pair(run, GENETIC_SELECTION, generation, pair, z);
  block.a = genetic_index(block.a, run.population, run.index_bias);
  block.c = genetic_index(block.c, run.population, run.index_bias);
  return block;
}

/* How many parents have their contestants drawn ahead; 0 where they are not found by small contests. */
CLOPT_SHARED uint genetic_ahead_parents(genetic_settings run) {
  const uint contestants = genetic_contestants(run);
  const uint most = contestants == 0u ? 0u : GENETIC_AHEAD_WORDS / contestants;
  return most < 2u ? 0u : most < GENETIC_AHEAD_PARENTS ? most : GENETIC_AHEAD_PARENTS;
}

/* Word n of them: parent by parent. */
CLOPT_SHARED uint genetic_ahead_contestant(genetic_settings run, uint generation, uint pair, uint n) {
  const uint contestants = genetic_contestants(run);
  return genetic_contestant(run, generation, pair, n / contestants, n % contestants);
}

/* Which genes of a unit change places if the parents differ in them. */
CLOPT_SHARED ulong genetic_ahead_swaps(genetic_settings run, uint generation, uint pair, uint unit) {
  return genetic_swapped(run, generation, pair, unit, genetic_draw_points(run, generation, pair),
                         genetic_existing(run.genes, unit));
}

CLOPT_SHARED_END

#endif
