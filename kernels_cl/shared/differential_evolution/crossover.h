/* Crossover of differential evolution: which parameters of a trial come from the mutant. */
#ifndef CLOPT_SHARED_DIFFERENTIAL_EVOLUTION_CROSSOVER_H
#define CLOPT_SHARED_DIFFERENTIAL_EVOLUTION_CROSSOVER_H

#include "differential_evolution.h"

CLOPT_SHARED_BEGIN

/* Decisions that are 1 with one probability, from two words in turn.
 *
 * A word is uniform below its range. It is compared with the share of the range that stands for a 1, and stays
 * uniform in the part that it fell into, which is the range of the next decision: as an arithmetic decoder reads a
 * message. The probability of any outcome of a word's eight decisions is right to 2^-29. */
struct evolution_coins {
  uint word;
  uint range;
  uint next_word;
  uint next_range;
  uint taken; /* the latest decision, 1 or 0 */
};
typedef struct evolution_coins evolution_coins;

/* Probabilities are in units of 2^-32. */
CLOPT_SHARED evolution_coins evolution_coins_of(uint even, uint odd, ulong probability) {
  /* The least words make every decision a 1. */
  const uint certain = probability >= BERNOULLI_ONE ? 1u : 0u;
  evolution_coins coins;
  coins.word = certain != 0u ? 0u : even;
  coins.range = 0xffffffffu;
  coins.next_word = certain != 0u ? 0u : odd;
  coins.next_range = 0xffffffffu;
  coins.taken = 0u;
  return coins;
}

CLOPT_SHARED uint evolution_chance(ulong probability) {
  return probability >= BERNOULLI_ONE ? 0xffffffffu : (uint)(probability & 0xffffffffu);
}

CLOPT_SHARED evolution_coins evolution_toss(evolution_coins before, uint chance) {
  const uint share = mul_hi(before.range, chance);
  evolution_coins after;
  after.taken = before.word < share ? 1u : 0u;
  after.next_word = before.word < share ? before.word : before.word - share;
  after.next_range = before.word < share ? share : before.range - share;
  after.word = before.next_word;
  after.range = before.next_range;
  return after;
}

/* Whether exponential crossover takes a parameter: `length` are taken from `first` on, around. */
CLOPT_SHARED uint evolution_in_window(uint j, uint first, uint length, uint dimensions) {
  const uint distance = j >= first ? j - first : j + dimensions - first;
  return distance < length ? 1u : 0u;
}

/* Where an individual's random numbers stand in a generation. */
struct evolution_address {
  ulong seed;
  uint problem;
  uint generation;
  uint individual;
};
typedef struct evolution_address evolution_address;

/* Which parameters of an individual come from its mutant, asked in ascending order: of each group in its turn. */
struct evolution_crossing {
  random_block block; /* its lower two words decide about an odd group, its upper two about the even one that follows */
  evolution_coins coins;
  uint length; /* of exponential crossover */
  uint taken;  /* the latest answer, 1 or 0 */
};
typedef struct evolution_crossing evolution_crossing;

/* Blocks of random words that the groups behind the first one take. */
CLOPT_SHARED uint evolution_crossing_blocks(uint dimensions) {
  return (dimensions + EVOLUTION_GROUP - 1u) / EVOLUTION_GROUP / 2u;
}

/* Whether decision n is the first one of another block, which is that of an odd group: 1 or 0. */
CLOPT_SHARED uint evolution_begins_block(uint n) { return n % (2u * EVOLUTION_GROUP) == EVOLUTION_GROUP ? 1u : 0u; }

CLOPT_SHARED random_block evolution_crossing_block(evolution_address at, uint number) {
  return evolution_random(at.seed, at.problem, at.generation, at.individual, EVOLUTION_DRAW_CROSSOVER + number);
}

/* Tosses for decision n, whose block is there. The first group has the words that were drawn with the individuals. */
CLOPT_SHARED evolution_crossing evolution_toss_from(evolution_crossing now, uint n, ulong probability) {
  if (n % EVOLUTION_GROUP == 0u && n != 0u) {
    const uint is_odd = evolution_begins_block(n);
    now.coins = evolution_coins_of(is_odd != 0u ? now.block.a : now.block.c, is_odd != 0u ? now.block.b : now.block.d,
                                   probability);
  }
  now.coins = evolution_toss(now.coins, evolution_chance(probability));
  return now;
}

CLOPT_SHARED evolution_crossing evolution_toss_next(evolution_crossing now, evolution_address at, uint n,
                                                    ulong probability) {
  if (evolution_begins_block(n) != 0u) now.block = evolution_crossing_block(at, n / (2u * EVOLUTION_GROUP));
  return evolution_toss_from(now, n, probability);
}

/* Exponential crossover takes one parameter, and one more for each success in a row, at most all. */
CLOPT_SHARED evolution_crossing evolution_crossing_of(evolution_address at, evolution_drawn drawn, uint dimensions,
                                                      uint exponential, ulong probability) {
  evolution_crossing now;
  now.block.a = 0u;
  now.block.b = 0u;
  now.block.c = drawn.even;
  now.block.d = drawn.odd;
  now.coins = evolution_coins_of(drawn.even, drawn.odd, probability);
  now.taken = 0u;
  now.length = 0u;
  if (exponential == 0u) return now;
  now.coins.taken = 1u;
  while (now.length < dimensions && now.coins.taken != 0u) {
    now = evolution_toss_next(now, at, now.length, probability);
    ++now.length;
  }
  return now;
}

/* The answer about parameter j of binomial crossover, by the latest toss. */
CLOPT_SHARED evolution_crossing evolution_crossed(evolution_crossing now, uint j, uint forced) {
  now.taken = now.coins.taken != 0u || j == forced ? 1u : 0u;
  return now;
}

/* Asks about parameter j. */
CLOPT_SHARED evolution_crossing evolution_cross(evolution_crossing now, evolution_address at, uint j, uint forced,
                                                uint dimensions, uint exponential, ulong probability) {
  if (exponential != 0u) {
    now.taken = evolution_in_window(j, forced, now.length, dimensions);
    return now;
  }
  return evolution_crossed(evolution_toss_next(now, at, j, probability), j, forced);
}

CLOPT_SHARED_END

#endif
