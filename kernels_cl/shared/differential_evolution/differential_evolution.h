/* What happens to one individual of differential evolution (Storn and Price 1997), apart from where vectors lie.
 *
 * Random numbers stand at the address (seed; generation, individual, draw, problem), see random.h: the problem takes
 * the place of the purpose, and the upper bits of the draw name its purpose. The initial vectors are generation
 * 0.
 */
#ifndef CLOPT_SHARED_DIFFERENTIAL_EVOLUTION_H
#define CLOPT_SHARED_DIFFERENTIAL_EVOLUTION_H

#include "shared/random.h"

/* Which vectors a mutant is made of. */
#define EVOLUTION_RAND_1 0u
#define EVOLUTION_BEST_1 1u
#define EVOLUTION_CURRENT_TO_BEST_1 2u
#define EVOLUTION_RAND_2 3u
#define EVOLUTION_BEST_2 4u
#define EVOLUTION_CURRENT_TO_PBEST_1 5u

#define EVOLUTION_BINOMIAL 0u
#define EVOLUTION_EXPONENTIAL 1u

/* How F and CR adapt themselves. */
#define EVOLUTION_FIXED 0u
#define EVOLUTION_JDE 1u
#define EVOLUTION_SHADE 2u
#define EVOLUTION_LSHADE 3u
#define EVOLUTION_SHADE_6 4u /* SHADE with L-SHADE's number of remembered pairs */

/* What becomes of a parameter that leaves its bounds. */
#define EVOLUTION_CLIP 0u
#define EVOLUTION_REFLECT 1u
#define EVOLUTION_RESAMPLE 2u
#define EVOLUTION_UNBOUNDED 3u

/* What may end a problem besides its generations, as bits. */
#define EVOLUTION_STOP_TARGET 1u
#define EVOLUTION_STOP_SPREAD 2u
#define EVOLUTION_STOP_STAGNATION 4u

/* A problem that still runs stops at no generation. */
#define EVOLUTION_RUNNING 0xffffffffu

/* No problem, where a list of problems is shorter than its room. */
#define EVOLUTION_NO_PROBLEM 0xffffffffu

/* The draws of an individual in a generation. */
#define EVOLUTION_DRAW_INDICES 0u
#define EVOLUTION_DRAW_CROSSOVER (1u << 24)
#define EVOLUTION_DRAW_RESAMPLE (2u << 24)
#define EVOLUTION_DRAW_CONTROL (3u << 24)
#define EVOLUTION_DRAW_INITIAL (4u << 24)
#define EVOLUTION_DRAW_WHOLE (5u << 24)

/* Parameters whose crossover two words decide, in turn. */
#define EVOLUTION_GROUP 16u

/* Up to here a word draws two individuals, so that one block is enough for short vectors. */
#define EVOLUTION_MOST_IN_A_WORD 256u

/* Pairs of F and CR that are remembered (H): by SHADE (Tanabe and Fukunaga 2013, section V), and by L-SHADE (2014,
 * table I) and SHADE_6. */
#define EVOLUTION_HISTORY(adapt) ((adapt) == EVOLUTION_SHADE ? 100u : 6u)
/* Where the history begins in a problem's control parameters, behind F, CR and the gain of each individual: F of each
 * place, CR of each place, and the place that is next. */
#define EVOLUTION_HISTORY_BEGIN(population) (3u * (population))

/* What L-SHADE remembers as CR once only CR of 0 were of use (its terminal value): CR stays 0. */
#define EVOLUTION_NEVER (-1.0f)

/* Tries to draw an F above 0; the draws behind theirs find places in the archive. */
#define EVOLUTION_ATTEMPTS 64u

/* Words that the preparation of a generation leaves for an individual, without those of crossover's further groups. */
#define EVOLUTION_DRAWN_WORDS 8u

/* The parameter that is taken by force, where none is. */
#define EVOLUTION_NO_PARAMETER 0xffffffffu

CLOPT_SHARED_BEGIN

/* What stays the same in a run. */
struct evolution_settings {
  ulong seed;
  ulong crossover; /* CR in units of 2^-32 */
  uint population;
  uint dimensions;
  uint columns; /* numbers in a problem's row of data */
  uint stop;    /* EVOLUTION_STOP_... */
  uint strategy;
  uint exponential;
  uint adapt;
  uint bounds;
  uint least_population; /* what L-SHADE's population shrinks to */
  uint archive;          /* vectors that a problem's archive has room for */
  ulong shrinks_until;   /* the generation, or the evaluations, at which the population is at its least */
  uint by_evaluations;   /* 1: the evaluations, 0: the generation */
  uint maximise;         /* 1: values are the negatives of the objective's */
  uint initial;          /* start vectors that a problem was given */
  uint initial_step;     /* from those of a problem to those of the next one; 0: all have the same */
  uint whole;            /* 1: some parameters are whole numbers; their flags follow the bounds */
  uint stagnation;       /* generations without a better value that end a problem */
  uint constrained;      /* 1: values may stand for violations, see shared/objective/constraint.h */
  uint unforced;         /* 1: no parameter is taken from the mutant by force */
};
typedef struct evolution_settings evolution_settings;

/* Where a problem stands. */
struct evolution_state {
  uint problem;    /* its number in the run, whichever device has it */
  uint stopped_at; /* the generation that ended it, or EVOLUTION_RUNNING */
  uint invalid;    /* objective values that were no number */
  uint best;       /* the individual with the least value, the first of several */
  uint alive;      /* individuals; there is room for more where the population has shrunk */
  uint archived;   /* replaced vectors that SHADE keeps */
  uint improved_at; /* the generation that had the least value first, where stagnation ends problems; with restarts, the
                     * one after which it was last asked whether to restart */
  uint restarted_at; /* the generation whose vectors were drawn anew, the last of several; 0: none */
  ulong least;       /* the bits of that value; with restarts, of the least one when that was last asked */
  ulong evaluations; /* so far, as SHADE counts them */
};
typedef struct evolution_state evolution_state;

/* Sums that the mean of the problems' best values is made of, by turns. */
#define EVOLUTION_TOTAL_SUMS 8u

#if !defined(__OPENCL_VERSION__) || defined(CLOPT_FP64)
/* The best values of all problems after a generation, together. */
struct evolution_totals {
  double least;
  double greatest;
  double sums[EVOLUTION_TOTAL_SUMS];
};
typedef struct evolution_totals evolution_totals;
#endif

/* Individuals drawn for a mutant, all different and none of them the parent, the parameter that is always taken (or
 * EVOLUTION_NO_PARAMETER), and the words that decide about the first group of parameters. */
struct evolution_drawn {
  uint r1;
  uint r2;
  uint r3;
  uint r4;
  uint r5;
  uint forced;
  uint even;
  uint odd;
};
typedef struct evolution_drawn evolution_drawn;

/* A problem's state with the least value of a generation, whose bits are given: it never rises. */
CLOPT_SHARED evolution_state evolution_with_least(evolution_state state, ulong least, uint generation) {
  if (state.least != least) state.improved_at = generation;
  state.least = least;
  return state;
}

/* Whether a problem waits for new vectors in a generation: it has stopped for that alone. 1 or 0. */
CLOPT_SHARED uint evolution_restarts(evolution_state state, uint generation) {
  return generation != 0u && state.restarted_at == generation && state.stopped_at + 1u == generation ? 1u : 0u;
}

/* Whether a problem with such a state ends by stagnation: 1 or 0. */
CLOPT_SHARED uint evolution_stagnates(evolution_state state, uint generation, uint stagnation) {
  return generation - state.improved_at >= stagnation ? 1u : 0u;
}

/* The mutant is base + F (plus - minus) [+ F (second_plus - second_minus)]. */
struct evolution_donors {
  uint base;
  uint plus;
  uint minus;
  uint second_plus;
  uint second_minus;
};
typedef struct evolution_donors evolution_donors;

/* Whether the strategy adds two differences: 1 or 0. */
CLOPT_SHARED uint evolution_has_second(uint strategy) {
  return strategy == EVOLUTION_RAND_1 || strategy == EVOLUTION_BEST_1 ? 0u : 1u;
}

/* Whether the strategy draws more than three individuals: 1 or 0. */
CLOPT_SHARED uint evolution_draws_five(uint strategy) {
  return strategy == EVOLUTION_RAND_2 || strategy == EVOLUTION_BEST_2 ? 1u : 0u;
}

/* Whether the strategy needs the best individual: 1 or 0. */
CLOPT_SHARED uint evolution_needs_best(uint strategy) {
  return strategy == EVOLUTION_BEST_1 || strategy == EVOLUTION_CURRENT_TO_BEST_1 || strategy == EVOLUTION_BEST_2 ? 1u
                                                                                                                 : 0u;
}

/* random_at(), in OpenCL C written so that no compiler mistakes the 32-bit halves of its products for 64-bit numbers:
 * generators set the pace of small problems. */
#ifdef __OPENCL_VERSION__
CLOPT_SHARED random_block evolution_random(ulong seed, uint problem, uint generation, uint individual, uint draw) {
  random_block block;
  uint key = (uint)(seed & 0xffffffffu);
  uint other_key = (uint)(seed >> 32);
  uint round;
  block.a = generation;
  block.b = individual;
  block.c = draw;
  block.d = problem;
#pragma unroll
  for (round = 0u; round < 10u; ++round) {
    const uint a = mul_hi(block.c, 0xcd9e8d57u) ^ block.b ^ key;
    const uint c = mul_hi(block.a, 0xd2511f53u) ^ block.d ^ other_key;
    block.b = block.c * 0xcd9e8d57u;
    block.d = block.a * 0xd2511f53u;
    block.a = a;
    block.c = c;
    key += 0x9e3779b9u;
    other_key += 0xbb67ae85u;
  }
  return block;
}
#else
CLOPT_SHARED random_block evolution_random(ulong seed, uint problem, uint generation, uint individual, uint draw) {
  return random_at(seed, problem, generation, individual, draw);
}
#endif

/* How many of the best individuals current-to-pbest chooses from, at least two: 11 % of them (L-SHADE, table I); with
 * SHADE a random number of at most 20 % (2013, equation 14). */
CLOPT_SHARED uint evolution_leaders(uint population, uint adapt, uint word) {
  if (adapt != EVOLUTION_LSHADE) return 2u + uniform_below(word, population > 10u ? population / 5u - 1u : 1u);
  return population > 22u ? (11u * population + 50u) / 100u : 2u;
}

/* Whether F and CR are drawn around those that were of use: 1 or 0. */
CLOPT_SHARED uint evolution_remembers(uint adapt) {
  return adapt == EVOLUTION_FIXED || adapt == EVOLUTION_JDE ? 0u : 1u;
}

/* Whether the mutants of a run may be made of replaced vectors: 1 or 0. */
CLOPT_SHARED uint evolution_has_archive(uint strategy, uint adapt) {
  return strategy == EVOLUTION_CURRENT_TO_PBEST_1 ? evolution_remembers(adapt) : 0u;
}

/* Vectors in a full archive: as many as individuals (2013), or 2.6 times as many (2014, table I). */
CLOPT_SHARED uint evolution_archive(uint strategy, uint adapt, uint population) {
  if (evolution_has_archive(strategy, adapt) == 0u) return 0u;
  return adapt == EVOLUTION_LSHADE ? (13u * population + 2u) / 5u : population;
}

/* Control parameters that a problem keeps from one generation to the next. */
CLOPT_SHARED uint evolution_controls(uint adapt, uint population) {
  if (adapt == EVOLUTION_JDE) return 2u * population;
  if (evolution_remembers(adapt) == 0u) return 0u;
  return EVOLUTION_HISTORY_BEGIN(population) + 2u * EVOLUTION_HISTORY(adapt) + 1u;
}

/* The population after `past` of `all` generations or evaluations: from `population` to `least` (2014, equation 9). */
CLOPT_SHARED uint evolution_shrunk(uint population, uint least, ulong past, ulong all) {
  const ulong now = past < all ? past : all;
  if (all == 0 || population <= least) return population;
  return population - (uint)(((ulong)(population - least) * now * 2 + all) / (2 * all) & 0xffffffffu);
}

/* Where a replaced vector goes in an archive that is full, and which one leaves where the archive shrinks: `n` numbers
 * the draws of a generation. */
CLOPT_SHARED uint evolution_archive_place(ulong seed, uint problem, uint generation, uint n, uint leaves, uint room) {
  const uint draw = EVOLUTION_DRAW_CONTROL + EVOLUTION_ATTEMPTS + leaves;
  return uniform_below(evolution_random(seed, problem, generation, n, draw).a, room);
}

/* Not by the language's own functions, whose results Oclgrind takes for uninitialised. */
CLOPT_SHARED uint evolution_greater(uint a, uint b) { return a > b ? a : b; }
CLOPT_SHARED uint evolution_lesser(uint a, uint b) { return a < b ? a : b; }

/* Draws three or five individuals without replacement: each from the shrinking range of those that are left, counted
 * past those taken in ascending order. A word is multiplied into its range (Lemire); what is left below serves as
 * the word of the next draw. Any outcome of a word has its probability to 2^-32. For current-to-pbest, r4 is a rank
 * among the leaders, and r2 may be one of the `archived` vectors, which count from `population` on. */
CLOPT_SHARED evolution_drawn evolution_draw(ulong seed, uint problem, uint generation, uint individual, uint population,
                                            uint dimensions, uint strategy, uint adapt, uint archived, uint unforced) {
  const random_block block = evolution_random(seed, problem, generation, individual, EVOLUTION_DRAW_INDICES);
  evolution_drawn drawn;
  uint second_word = block.a * (population - 1u);
  uint forced_word = block.b * (population - 3u);
  uint first = individual;
  uint second;
  uint third;
  if (population > EVOLUTION_MOST_IN_A_WORD) {
    const random_block more = evolution_random(seed, problem, generation, individual, EVOLUTION_DRAW_INDICES + 2u);
    second_word = more.a;
    forced_word = more.b;
  }
  drawn.r1 = uniform_below(block.a, population - 1u);
  drawn.r1 += drawn.r1 >= first ? 1u : 0u;
  second = evolution_greater(first, drawn.r1);
  first = evolution_lesser(first, drawn.r1);
  drawn.r2 = uniform_below(second_word, population - 2u + archived);
  drawn.r2 += drawn.r2 >= first ? 1u : 0u;
  drawn.r2 += drawn.r2 >= second ? 1u : 0u;
  third = evolution_greater(second, drawn.r2);
  second = evolution_greater(first, evolution_lesser(second, drawn.r2));
  first = evolution_lesser(first, drawn.r2);
  /* Where the strategy draws two, three need not exist. */
  drawn.r3 = uniform_below(block.b, population - 3u);
  drawn.r3 += drawn.r3 >= first ? 1u : 0u;
  drawn.r3 += drawn.r3 >= second ? 1u : 0u;
  drawn.r3 += drawn.r3 >= third ? 1u : 0u;
  drawn.forced = unforced != 0u ? EVOLUTION_NO_PARAMETER : uniform_below(forced_word, dimensions);
  drawn.even = block.c;
  drawn.odd = block.d;
  drawn.r4 = 0u;
  drawn.r5 = 0u;
  if (strategy == EVOLUTION_CURRENT_TO_PBEST_1) {
    const random_block more = evolution_random(seed, problem, generation, individual, EVOLUTION_DRAW_INDICES + 1u);
    drawn.r4 = uniform_below(more.c, evolution_leaders(population, adapt, more.d));
  }
  if (evolution_draws_five(strategy) != 0u) {
    const random_block more = evolution_random(seed, problem, generation, individual, EVOLUTION_DRAW_INDICES + 1u);
    uint fourth = evolution_greater(third, drawn.r3);
    uint between = evolution_greater(second, evolution_lesser(third, drawn.r3));
    second = evolution_greater(first, evolution_lesser(second, drawn.r3));
    first = evolution_lesser(first, drawn.r3);
    third = between;
    drawn.r4 = uniform_below(more.a, population - 4u);
    drawn.r4 += drawn.r4 >= first ? 1u : 0u;
    drawn.r4 += drawn.r4 >= second ? 1u : 0u;
    drawn.r4 += drawn.r4 >= third ? 1u : 0u;
    drawn.r4 += drawn.r4 >= fourth ? 1u : 0u;
    {
      const uint fifth = evolution_greater(fourth, drawn.r4);
      between = evolution_greater(third, evolution_lesser(fourth, drawn.r4));
      third = evolution_greater(second, evolution_lesser(third, drawn.r4));
      second = evolution_greater(first, evolution_lesser(second, drawn.r4));
      first = evolution_lesser(first, drawn.r4);
      fourth = between;
      drawn.r5 = uniform_below(more.b, population - 5u);
      drawn.r5 += drawn.r5 >= first ? 1u : 0u;
      drawn.r5 += drawn.r5 >= second ? 1u : 0u;
      drawn.r5 += drawn.r5 >= third ? 1u : 0u;
      drawn.r5 += drawn.r5 >= fourth ? 1u : 0u;
      drawn.r5 += drawn.r5 >= fifth ? 1u : 0u;
    }
  }
  return drawn;
}

/* Which individuals take which part in the strategy. `best`: the best individual, or the leader that was drawn. */
CLOPT_SHARED evolution_donors evolution_donors_of(evolution_drawn drawn, uint strategy, uint individual, uint best) {
  evolution_donors donors;
  donors.base = drawn.r1;
  donors.plus = drawn.r2;
  donors.minus = drawn.r3;
  donors.second_plus = drawn.r4;
  donors.second_minus = drawn.r5;
  if (strategy == EVOLUTION_BEST_1 || strategy == EVOLUTION_BEST_2) {
    donors.base = best;
    donors.plus = drawn.r1;
    donors.minus = drawn.r2;
    donors.second_plus = drawn.r3;
    donors.second_minus = drawn.r4;
  } else if (strategy == EVOLUTION_CURRENT_TO_BEST_1 || strategy == EVOLUTION_CURRENT_TO_PBEST_1) {
    donors.base = individual;
    donors.plus = best;
    donors.minus = individual;
    donors.second_plus = drawn.r1;
    donors.second_minus = drawn.r2;
  }
  return donors;
}

CLOPT_SHARED_END

#endif
