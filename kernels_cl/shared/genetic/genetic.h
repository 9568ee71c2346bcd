/* What the genetic algorithm does to one pair, one word of 64 genes, one draw.
 *
 * Individuals are minimised by their costs: the objective's value, its negative where it is maximised, infinity where
 * it is not finite. A generation breeds `pairs` pairs on each island from the generation before; pair k of an island
 * has the children 2 k and 2 k + 1, the last pair of an odd population only the first.
 *
 * Every random number has an address: the seed, a purpose, the generation (x), the pair or individual counted through
 * all islands of the whole run (y), and z, which says the gene, word or attempt. So results do not depend on who
 * computes them. A device that has a range of the islands counts its own from 0, and adds what comes before them to y
 * alone. Bits are drawn for units of 64 genes, whatever the size of a device's words.
 */
#ifndef CLOPT_SHARED_GENETIC_H
#define CLOPT_SHARED_GENETIC_H

#include "shared/language.h"
#include "shared/random.h"

/* Purposes of random numbers: "GA" and what for. */
#define GENETIC_START 0x47410000u
#define GENETIC_SELECTION 0x47410001u
#define GENETIC_TURN_OF_WHEEL 0x47410002u
#define GENETIC_POINTS 0x47410003u
#define GENETIC_CROSSOVER 0x47410004u
#define GENETIC_MUTATION 0x47410005u
#define GENETIC_CHANGE 0x47410006u
#define GENETIC_ORDER 0x47410007u
#define GENETIC_SHUFFLE 0x47410008u
#define GENETIC_SEGMENTS 0x47410009u
#define GENETIC_DOUBLE_BRIDGE 0x4741000au

#define GENETIC_ROULETTE 0u
#define GENETIC_TOURNAMENT 1u
#define GENETIC_RANK 2u
#define GENETIC_UNIVERSAL 3u
#define GENETIC_ROULETTE_WALK 4u

#define GENETIC_ONE_POINT 0u
#define GENETIC_TWO_POINT 1u
#define GENETIC_UNIFORM 2u
#define GENETIC_LINE 3u
#define GENETIC_SIMULATED_BINARY 4u
#define GENETIC_ORDER_CROSSOVER 5u

#define GENETIC_FLIP 0u
#define GENETIC_STEP 1u
#define GENETIC_GAUSSIAN 2u
#define GENETIC_POLYNOMIAL 3u
#define GENETIC_SWAP 4u
#define GENETIC_INVERSION 5u

/* Kinds of genes, numbered as OBJECTIVE_KIND is. */
#define GENETIC_BITS 0
#define GENETIC_REALS 1
#define GENETIC_INTEGERS 2
#define GENETIC_PERMUTATION 3

/* How the mutated genes are found. */
#define GENETIC_NEVER 0u
#define GENETIC_GAPS 1u  /* by the gaps between them, which are geometric */
#define GENETIC_DENSE 2u /* by a decision for each gene */

/* Genes of a unit. */
#define GENETIC_UNIT 64u
/* Units that a sequence of gaps runs through before it restarts, as a power of two, at most: gaps have no memory. */
#define GENETIC_LONGEST_SEGMENT 4u
/* Powers of the probability to keep a gene that genetic_gap() is made of: enough for the longest segment. */
#define GENETIC_POWERS 10
/* A gap that goes beyond any segment. */
#define GENETIC_BEYOND 2047u
/* Tries, two in a block of random numbers, before a parent is drawn from the wheel. */
#define GENETIC_TRY_BLOCKS 32u
/* How often a second parent is drawn again before it is any other one; only tournaments of nearly all need that. */
#define GENETIC_REDRAWS 12u
/* Individuals of a section of the wheel. */
#define GENETIC_SECTION 1024u
#define GENETIC_SECTIONS(run) (((run).population + GENETIC_SECTION - 1u) / GENETIC_SECTION)
/* No individual. */
#define GENETIC_NONE 0xffffffffu
/* A weight of fitness that is not a whole number. */
#define GENETIC_FINE_WEIGHT 0x1000000u

/* Where in the buffer of a run's real numbers they stand; bounds of the genes follow. */
#define GENETIC_EXTENSION 0
#define GENETIC_CROSSOVER_POWER 1
#define GENETIC_STEP_SIZE 2
#define GENETIC_MUTATION_POWER 3
#define GENETIC_TARGET 4
#define GENETIC_BOUNDS 5

/* Where the numbers of an island stand in the buffer of limits. */
#define GENETIC_LEAST 0    /* cost of the generation, infinity where none is finite */
#define GENETIC_GREATEST 1 /* finite cost of the generation, negative infinity where there is none */
#define GENETIC_BEST 2     /* cost ever */
#define GENETIC_LIMITS 3

/* Where in the buffer of a run's marks they stand; two for each island follow. */
#define GENETIC_STOP 0 /* the generation after which nothing happens any more */
#define GENETIC_ARRIVED 1 /* work-groups that are done with a launch; 0 between launches */
#define GENETIC_MARKS 2
/* Of an island: the generation in which its best got better last, and where the best of the generation is. */
#define GENETIC_MARKS_EACH 2

CLOPT_SHARED_BEGIN

/* The parameters of a run, as its kernels get them. */
struct genetic_settings {
  ulong seed;
  ulong crossover;            /* probability of a gene, in units of 2^-32 */
  ulong mutation;             /* the same; looked at for dense mutation only */
  ulong rank_mixture;         /* linear ranking: how often, of 2^32, two individuals are compared */
  ulong keep_segment;         /* of 2^64: the probability that no gene of a segment is mutated */
  ulong keep[GENETIC_POWERS]; /* the same for 1, 2, 4, ... genes */
  uint kind;                  /* of genes: GENETIC_BITS, ... */
  uint maximise;              /* whether costs are the negatives of the objective's values */
  uint population;            /* individuals of an island, at least 2 */
  uint pairs;                 /* of an island */
  uint islands;
  uint genes;
  uint units; /* of 64 genes */
  uint row;   /* elements from one individual to the next: words of 32 bits, or genes */
  uint selection;
  uint tournament;
  uint crossover_kind;
  uint mutation_kind;
  uint mutation_way; /* GENETIC_NEVER, GENETIC_GAPS, GENETIC_DENSE */
  uint segment;      /* units that gaps run through, as a power of two */
  uint whole;        /* whether costs are whole numbers */
  uint elites;
  uint bounds_each;   /* whether every gene has bounds of its own */
  uint relative_step; /* whether the step counts in ranges of the gene */
  uint has_target;
  uint index_bias; /* 2^32 modulo population: see uniform_accepts() */
  uint point_bias; /* 2^32 modulo genes */
  uint stagnation; /* generations without a better best after which the run ends; 0: never */
#ifndef GENETIC_FIXED_FIRST
  /* Of the whole run, before the ones that there are here, which `islands` counts. Where nothing comes before them, a
   * device's structure ends above: NVIDIA's compiler copies a larger one by a loop through memory, which makes every
   * kernel up to ten times as slow. */
  uint first_island;
  uint first_pair;
  uint first_individual;
#endif
};
typedef struct genetic_settings genetic_settings;

#ifdef __OPENCL_VERSION__
/* The settings of a run. Where a program is made for one run (GENETIC_FIXED), what its choices and sizes are is known
 * to the compiler, which leaves out all that the run has no use for. */
static inline genetic_settings genetic_settings_of(global const genetic_settings* settings) {
#if defined GENETIC_FIXED && !defined GENETIC_FIXED_FIRST
  /* One by one, as the structure is the larger one here: kernels of ranks, slices and several devices took twice as
   * long. */
  genetic_settings run;
  run.seed = settings->seed;
  run.crossover = settings->crossover;
  run.mutation = settings->mutation;
  run.rank_mixture = settings->rank_mixture;
  run.keep_segment = settings->keep_segment;
  run.islands = settings->islands;
  run.bounds_each = settings->bounds_each;
  run.relative_step = settings->relative_step;
  run.has_target = settings->has_target;
  run.stagnation = settings->stagnation;
  run.first_island = settings->first_island;
  run.first_pair = settings->first_pair;
  run.first_individual = settings->first_individual;
#pragma unroll
  for (uint power = 0; power < GENETIC_POWERS; ++power) run.keep[power] = settings->keep[power];
#else
  genetic_settings run = settings[0];
#endif
#ifdef GENETIC_FIXED
  run.kind = GENETIC_FIXED_KIND;
  run.maximise = GENETIC_FIXED_MAXIMISE;
  run.population = GENETIC_FIXED_POPULATION;
  run.pairs = GENETIC_FIXED_PAIRS;
  run.genes = GENETIC_FIXED_GENES;
  run.units = GENETIC_FIXED_UNITS;
  run.row = GENETIC_FIXED_ROW;
  run.selection = GENETIC_FIXED_SELECTION;
  run.tournament = GENETIC_FIXED_TOURNAMENT;
  run.crossover_kind = GENETIC_FIXED_CROSSOVER;
  run.mutation_kind = GENETIC_FIXED_MUTATION;
  run.mutation_way = GENETIC_FIXED_WAY;
  run.segment = GENETIC_FIXED_SEGMENT;
  run.whole = GENETIC_FIXED_WHOLE;
  run.elites = GENETIC_FIXED_ELITES;
  run.index_bias = GENETIC_FIXED_INDEX_BIAS;
  run.point_bias = GENETIC_FIXED_POINT_BIAS;
#endif
  return run;
}
#else
CLOPT_SHARED genetic_settings genetic_settings_of(const genetic_settings* settings) { return settings[0]; }
#endif

/* The parents of a pair, as far as they are found. */
struct genetic_parents {
  uint first;
  uint second;
};
typedef struct genetic_parents genetic_parents;

/* Genes first to last are recombined. */
struct genetic_points {
  uint first;
  uint last;
};
typedef struct genetic_points genetic_points;

/* ---- Addresses of random numbers. ---- */

/* What the addresses have of a pair, an individual or an island: its number in the whole run; and the random numbers of
 * a pair, or of an individual. Where all islands are here, there is nothing to add. */
#ifdef GENETIC_FIXED_FIRST
#define genetic_pair_address(run, pair) (pair)
#define genetic_individual_address(run, individual) (individual)
#define genetic_island_address(run, island) (island)
#define genetic_of_pair(run, purpose, generation, pair, z) random_at((run).seed, purpose, generation, pair, z)
#define genetic_of_individual(run, purpose, generation, individual, z) \
  random_at((run).seed, purpose, generation, individual, z)
#else
CLOPT_SHARED uint genetic_pair_address(genetic_settings run, uint pair) { return run.first_pair + pair; }
CLOPT_SHARED uint genetic_individual_address(genetic_settings run, uint individual) {
  return run.first_individual + individual;
}
CLOPT_SHARED uint genetic_island_address(genetic_settings run, uint island) { return run.first_island + island; }

CLOPT_SHARED random_block genetic_of_pair(genetic_settings run, uint purpose, uint generation, uint pair, uint z) {
  return random_at(run.seed, purpose, generation, genetic_pair_address(run, pair), z);
}
CLOPT_SHARED random_block genetic_of_individual(genetic_settings run, uint purpose, uint generation, uint individual,
                                                uint z) {
  return random_at(run.seed, purpose, generation, genetic_individual_address(run, individual), z);
}
#endif

/* ---- Decisions. ---- */

/* Whether a gene is recombined: a uniform word against a probability in units of 2^-32. */
CLOPT_SHARED uint genetic_decides(uint word, ulong probability) { return word < probability ? 1u : 0u; }

/* A uniform number below n. z, below 2^24, says which; rejected words are drawn again. */
CLOPT_SHARED uint genetic_below(ulong seed, uint purpose, uint x, uint y, uint z, uint n) {
  for (;;) {
    const random_block block = random_at(seed, purpose, x, y, z);
    if (uniform_accepts(block.a, n) != 0u) return uniform_below(block.a, n);
    if (uniform_accepts(block.b, n) != 0u) return uniform_below(block.b, n);
    if (uniform_accepts(block.c, n) != 0u) return uniform_below(block.c, n);
    if (uniform_accepts(block.d, n) != 0u) return uniform_below(block.d, n);
    z += 1u << 24;
  }
}

/* ---- Crossover. ---- */

/* A point, from a uniform word, or where that is rejected from further ones at z. */
CLOPT_SHARED uint genetic_point(genetic_settings run, uint generation, uint pair, uint z, uint word) {
  if (word * run.genes >= run.point_bias) return uniform_below(word, run.genes);
  return genetic_below(run.seed, GENETIC_POINTS, generation, genetic_pair_address(run, pair), z, run.genes);
}

/* The block that both points of a pair are drawn from. */
CLOPT_SHARED random_block genetic_points_block(genetic_settings run, uint generation, uint pair) {
  return genetic_of_pair(run, GENETIC_POINTS, generation, pair, 0u);
}

/* The genes that are recombined. Two-point crossover takes those between both points, and both (algorithm 3 of the
 * paper). block: genetic_points_block(). */
CLOPT_SHARED genetic_points genetic_points_of(genetic_settings run, uint generation, uint pair, random_block block) {
  genetic_points points;
  uint first;
  uint second;
  points.first = 0u;
  points.last = run.genes - 1u;
  if (run.crossover_kind == GENETIC_UNIFORM || run.crossover_kind == GENETIC_SIMULATED_BINARY) return points;
  first = genetic_point(run, generation, pair, 1u, block.a);
  points.first = first;
  if (run.crossover_kind == GENETIC_ONE_POINT) return points;
  second = genetic_point(run, generation, pair, 2u, block.b);
  points.first = min(first, second);
  points.last = max(first, second);
  return points;
}
CLOPT_SHARED genetic_points genetic_draw_points(genetic_settings run, uint generation, uint pair) {
  return genetic_points_of(run, generation, pair, genetic_points_block(run, generation, pair));
}

/* The genes of a unit that lie between the points, as bits. */
CLOPT_SHARED ulong genetic_between(genetic_points points, uint unit) {
  const uint begin = unit * GENETIC_UNIT;
  ulong bits = ~(ulong)0;
  if (points.last < begin || points.first >= begin + GENETIC_UNIT) return 0;
  if (points.first > begin) bits &= ~(ulong)0 << (points.first - begin);
  if (points.last < begin + (GENETIC_UNIT - 1u)) bits &= ~(ulong)0 >> (begin + (GENETIC_UNIT - 1u) - points.last);
  return bits;
}

/* The genes of a unit that exist. */
CLOPT_SHARED ulong genetic_existing(uint genes, uint unit) {
  const uint rest = genes - unit * GENETIC_UNIT;
  return rest >= GENETIC_UNIT ? ~(ulong)0 : ~(~(ulong)0 << rest);
}

/* Two steps of genetic_decisions(), with the probability's first two digits. */
struct genetic_lanes {
  ulong below;
  ulong undecided;
};
typedef struct genetic_lanes genetic_lanes;

CLOPT_SHARED genetic_lanes genetic_two_digits(genetic_lanes lanes, random_block block, uint digits) {
  const ulong first = random_word_64(block.a, block.b);
  const ulong second = random_word_64(block.c, block.d);
  if ((digits >> 31) != 0u) {
    lanes.below |= lanes.undecided & ~first;
    lanes.undecided &= first;
  } else {
    lanes.undecided &= ~first;
  }
  if ((digits >> 30 & 1u) != 0u) {
    lanes.below |= lanes.undecided & ~second;
    lanes.undecided &= second;
  } else {
    lanes.undecided &= ~second;
  }
  return lanes;
}

/* Decisions for the genes of a unit, each 1 with `probability` of 2^-32, as bernoulli_word() makes them; only those
 * asked for are made, which takes fewer random words and changes none. */
CLOPT_SHARED ulong genetic_decisions(ulong seed, uint purpose, uint x, uint y, uint unit, ulong probability,
                                     ulong asked) {
  uint digits = (uint)(probability & 0xffffffffu);
  uint z = unit << 4; /* at most 16 blocks for 32 digits */
  genetic_lanes lanes;
  if (probability >= BERNOULLI_ONE) return asked;
  lanes.below = 0;
  lanes.undecided = asked;
  while (digits != 0u && lanes.undecided != 0) {
    lanes = genetic_two_digits(lanes, random_at(seed, purpose, x, y, z), digits);
    digits <<= 2;
    ++z;
  }
  return lanes.below;
}

/* Which genes of a unit change places between two parents that differ in `different`. */
CLOPT_SHARED ulong genetic_swapped(genetic_settings run, uint generation, uint pair, uint unit, genetic_points points,
                                   ulong different) {
  const ulong asked = different & genetic_between(points, unit);
  if (asked == 0) return 0;
  return genetic_decisions(run.seed, GENETIC_CROSSOVER, generation, genetic_pair_address(run, pair), unit,
                           run.crossover, asked);
}

/* Whether one gene changes places, decided by itself. */
CLOPT_SHARED uint genetic_gene_swapped(genetic_settings run, uint generation, uint pair, uint gene,
                                       genetic_points points) {
  const ulong bit = (ulong)1 << gene % GENETIC_UNIT;
  return genetic_swapped(run, generation, pair, gene / GENETIC_UNIT, points, bit) != 0 ? 1u : 0u;
}

/* ---- Individuals. ---- */

/* Elements of a row of bits that is not packed: one for each gene of whole units. */
CLOPT_SHARED uint genetic_unpacked_row(genetic_settings run) { return GENETIC_UNIT * run.units; }

/* Whether settings are of such rows. */
CLOPT_SHARED uint genetic_is_unpacked(genetic_settings run) {
  return run.kind == GENETIC_BITS && run.row == genetic_unpacked_row(run) ? 1u : 0u;
}

/* How many individuals of an island are bred; the others are elites. */
CLOPT_SHARED uint genetic_bred(genetic_settings run) { return run.population - run.elites; }

/* A cost for an objective's value. NaN is as bad as infinity. */
CLOPT_SHARED_TEMPLATE(real) real genetic_cost(real value, uint maximise) {
  const real cost = maximise != 0u ? -value : value;
  return cost == cost ? cost : (real)INFINITY;
}

CLOPT_SHARED_END

#endif
