/* What happens to one individual of differential evolution (Storn and Price 1997), apart from where vectors lie.
 *
 * Random numbers stand at the address (seed; generation, individual, draw, problem), see random.h: the problem takes the
 * place of the purpose, and the upper bits of the draw tell what it is for. The initial vectors are generation 0.
 */
#ifndef CLOPT_SHARED_DIFFERENTIAL_EVOLUTION_H
#define CLOPT_SHARED_DIFFERENTIAL_EVOLUTION_H

#include "elementary_float.h"
#include "elementary_pi.h"
#include "random.h"

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

/* What becomes of a parameter that leaves its bounds. */
#define EVOLUTION_CLIP 0u
#define EVOLUTION_REFLECT 1u
#define EVOLUTION_RESAMPLE 2u
#define EVOLUTION_UNBOUNDED 3u

/* What may end a problem besides its generations, as bits. */
#define EVOLUTION_STOP_TARGET 1u
#define EVOLUTION_STOP_SPREAD 2u

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

/* Parameters whose crossover two words decide, in turn. */
#define EVOLUTION_GROUP 16u

/* Up to here a word draws two individuals, so that one block is enough for short vectors. */
#define EVOLUTION_MOST_IN_A_WORD 256u

/* Pairs of F and CR that SHADE remembers (Tanabe and Fukunaga, CEC 2014, who call it H). */
#define EVOLUTION_HISTORY 6u
/* Where its history begins in a problem's control parameters, behind F, CR and the gain of each individual: F of each
 * place, CR of each place, and the place that is next. */
#define EVOLUTION_HISTORY_BEGIN(population) (3u * (population))
#define EVOLUTION_HISTORY_NUMBERS (2u * EVOLUTION_HISTORY + 1u)

/* Words that the preparation of a generation leaves for an individual. */
#define EVOLUTION_DRAWN_WORDS 8u

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
#ifndef __OPENCL_VERSION__
  static constexpr std::string_view opencl_name = "evolution_settings";
#endif
};
typedef struct evolution_settings evolution_settings;

/* Where a problem stands. */
struct evolution_state {
  uint problem;    /* its number in the run, whichever device has it */
  uint stopped_at; /* the generation that ended it, or EVOLUTION_RUNNING */
  uint invalid;    /* objective values that were no number */
  uint best;       /* the individual with the least value, the first of several */
#ifndef __OPENCL_VERSION__
  static constexpr std::string_view opencl_name = "evolution_state";
#endif
};
typedef struct evolution_state evolution_state;

/* Individuals drawn for a mutant, all different and none of them the parent, the parameter that is always taken, and the
 * words that decide about the first group of parameters. */
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

/* How many of the best individuals current-to-pbest chooses from: 11 % of them, at least two. */
CLOPT_SHARED uint evolution_leaders(uint population) { return population > 22u ? (11u * population + 50u) / 100u : 2u; }

/* Control parameters that a problem keeps from one generation to the next. */
CLOPT_SHARED uint evolution_controls(uint adapt, uint population) {
  if (adapt == EVOLUTION_JDE) return 2u * population;
  return adapt == EVOLUTION_SHADE ? EVOLUTION_HISTORY_BEGIN(population) + EVOLUTION_HISTORY_NUMBERS : 0u;
}

/* Not by the language's own functions, whose results Oclgrind takes for uninitialised. */
CLOPT_SHARED uint evolution_greater(uint a, uint b) { return a > b ? a : b; }
CLOPT_SHARED uint evolution_lesser(uint a, uint b) { return a < b ? a : b; }

/* Draws three or five individuals without replacement: each from the shrinking range of those that are left, counted
 * past those taken in ascending order. A word is multiplied into its range (Lemire); what is left below serves as the
 * word of the next draw. Any outcome of a word has its probability to 2^-32. For current-to-pbest, r4 is a rank among the
 * leaders. */
CLOPT_SHARED evolution_drawn evolution_draw(ulong seed, uint problem, uint generation, uint individual, uint population,
                                            uint dimensions, uint strategy) {
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
  drawn.r2 = uniform_below(second_word, population - 2u);
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
  drawn.forced = uniform_below(forced_word, dimensions);
  drawn.even = block.c;
  drawn.odd = block.d;
  drawn.r4 = 0u;
  drawn.r5 = 0u;
  if (strategy == EVOLUTION_CURRENT_TO_PBEST_1) {
    const random_block more = evolution_random(seed, problem, generation, individual, EVOLUTION_DRAW_INDICES + 1u);
    drawn.r4 = uniform_below(more.c, evolution_leaders(population));
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

/* Decisions that are 1 with one probability, from two words in turn.
 *
 * A word is uniform below its range. It is compared with the share of the range that stands for a 1, and stays uniform
 * in the part that it fell into, which is the range of the next decision: as an arithmetic decoder reads a message. The
 * probability of any outcome of a word's eight decisions is right to 2^-29. */
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

/* Tosses for decision n. The first group has the words that were drawn with the individuals. */
CLOPT_SHARED evolution_crossing evolution_toss_next(evolution_crossing now, evolution_address at, uint n,
                                                    ulong probability) {
  if (n % EVOLUTION_GROUP == 0u && n != 0u) {
    const uint group = n / EVOLUTION_GROUP;
    const uint is_odd = group & 1u;
    if (is_odd != 0u)
      now.block = evolution_random(at.seed, at.problem, at.generation, at.individual,
                                   EVOLUTION_DRAW_CROSSOVER + (group >> 1));
    now.coins = evolution_coins_of(is_odd != 0u ? now.block.a : now.block.c, is_odd != 0u ? now.block.b : now.block.d,
                                   probability);
  }
  now.coins = evolution_toss(now.coins, evolution_chance(probability));
  return now;
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

/* Asks about parameter j. */
CLOPT_SHARED evolution_crossing evolution_cross(evolution_crossing now, evolution_address at, uint j, uint forced,
                                                uint dimensions, uint exponential, ulong probability) {
  if (exponential != 0u) {
    now.taken = evolution_in_window(j, forced, now.length, dimensions);
    return now;
  }
  now = evolution_toss_next(now, at, j, probability);
  now.taken = now.coins.taken != 0u || j == forced ? 1u : 0u;
  return now;
}

/* A fraction in [0, 1) of the type's own precision. */
CLOPT_SHARED_TEMPLATE(real) real evolution_fraction(uint high, uint low) {
#if !defined(__OPENCL_VERSION__) || defined(CLOPT_FP64)
  if (sizeof(real) == 8) return (real)uniform_double(random_word_64(low, high));
#endif
  return (real)uniform_float(high);
}

/* A parameter, uniform within its bounds, from the draws of `stage`. */
CLOPT_SHARED_TEMPLATE(real)
real evolution_anywhere(ulong seed, uint problem, uint generation, uint individual, uint stage, uint j, real lower,
                        real upper) {
  const random_block block = evolution_random(seed, problem, generation, individual, stage + (j >> 1));
  const uint odd = j & 1u;
#ifdef __OPENCL_VERSION__
  const real fraction = evolution_fraction(odd != 0u ? block.c : block.a, odd != 0u ? block.d : block.b);
#else
  const real fraction = evolution_fraction<real>(odd != 0u ? block.c : block.a, odd != 0u ? block.d : block.b);
#endif
  const real value = lower + fraction * (upper - lower);
  return value < upper ? value : upper;
}

/* Equation (1) of the paper, with a second difference where the strategy has one. */
CLOPT_SHARED_TEMPLATE(real) real evolution_mutant(real base, real plus, real minus, real weight) {
  return base + weight * (plus - minus);
}

/* Mirrors a parameter at its bounds until it is inside. */
CLOPT_SHARED_TEMPLATE(real) real evolution_reflected(real value, real lower, real upper) {
  const real width = upper - lower;
  const real distance = value < lower ? lower - value : value - lower;
  /* How often the width fits; far outside, where that is not exact, the bounds below do. */
  const real times = width > (real)0 ? floor(distance / width) : (real)0;
  const real rest = distance - times * width;
  const real half_times = times * (real)0.5f;
  const real inside = floor(half_times) == half_times ? lower + rest : upper - rest;
  const real least = inside > lower ? inside : lower;
  return least < upper ? least : upper;
}

/* A parameter no further out than its bounds, a NaN at the lower one. Bounds and parameters are no negative zeros, of
 * which devices would take either. */
#ifdef __OPENCL_VERSION__
CLOPT_SHARED real evolution_clipped(real value, real lower, real upper) { return fmin(fmax(value, lower), upper); }
#else
template <class real>
CLOPT_SHARED real evolution_clipped(real value, real lower, real upper) {
  const real least = value > lower ? value : lower;
  return least < upper ? least : upper;
}
#endif

/* A mutant's parameter brought within its bounds. */
CLOPT_SHARED_TEMPLATE(real)
real evolution_bounded(real value, real lower, real upper, uint bounds, ulong seed, uint problem, uint generation,
                       uint individual, uint j) {
  if (bounds == EVOLUTION_CLIP) return evolution_clipped(value, lower, upper);
  if (bounds == EVOLUTION_UNBOUNDED || (value >= lower && value <= upper)) return value;
  if (bounds == EVOLUTION_REFLECT) return evolution_reflected(value, lower, upper);
  return evolution_anywhere(seed, problem, generation, individual, EVOLUTION_DRAW_RESAMPLE, j, lower, upper);
}

/* jDE (Brest et al. 2006) draws F and CR anew with probability 0.1 each. */
#define EVOLUTION_JDE_WORD 429496730u

CLOPT_SHARED_TEMPLATE(real) real evolution_jde_weight(random_block block, real weight) {
  return block.a < EVOLUTION_JDE_WORD ? (real)0.1f + (real)0.9f * (real)uniform_float(block.b) : weight;
}

CLOPT_SHARED_TEMPLATE(real) real evolution_jde_crossover(random_block block, real crossover) {
  return block.c < EVOLUTION_JDE_WORD ? (real)uniform_float(block.d) : crossover;
}

/* SHADE draws CR from a normal distribution around a remembered one (Box and Muller 1958); always in single precision,
 * which every device has. */
CLOPT_SHARED float evolution_normal(uint radius, uint angle) {
  const float u = 1.0f - uniform_float(radius);
  return sqrt(-2.0f * clopt_log_float(u)) * clopt_cospi_float(2.0f * uniform_float(angle));
}

/* And F from a Cauchy distribution: tan of a uniform angle. */
CLOPT_SHARED float evolution_cauchy(uint word) {
  const float turn = uniform_float(word) - 0.5f;
  return clopt_sinpi_float(turn) / clopt_cospi_float(turn);
}

CLOPT_SHARED_TEMPLATE(real) real evolution_shade_crossover(random_block block, real remembered) {
  const real crossover = remembered + (real)0.1f * (real)evolution_normal(block.b, block.c);
  const real least = crossover > (real)0 ? crossover : (real)0;
  return least < (real)1 ? least : (real)1;
}

/* F above 0, drawn again from the blocks that follow where it is not. */
CLOPT_SHARED_TEMPLATE(real)
real evolution_shade_weight(ulong seed, uint problem, uint generation, uint individual, random_block block,
                            real remembered) {
  uint attempt;
  uint word = block.d;
  for (attempt = 1u; attempt < 64u; ++attempt) {
    const real weight = remembered + (real)0.1f * (real)evolution_cauchy(word);
    if (weight > (real)0) return weight < (real)1 ? weight : (real)1;
    word = evolution_random(seed, problem, generation, individual, EVOLUTION_DRAW_CONTROL + attempt).d;
  }
  return (real)0.1f;
}

/* What a better trial counts for: its gain, where that is a number above 0. */
CLOPT_SHARED_TEMPLATE(real) real evolution_gain(real before, real after) {
  const real gain = before - after;
  return gain > (real)0 && gain <= (real)3.0e38f ? gain : (real)0;
}

/* CR from 0 to 1 in units of 2^-32. */
CLOPT_SHARED_TEMPLATE(real) ulong evolution_probability(real crossover) {
  return convert_ulong(crossover * (real)0x1p32f);
}

/* What a number adds to the digest of a problem's final state, a sum modulo 2^64: the finaliser of SplitMix64 (Steele,
 * Lea and Flood, OOPSLA 2014) of its bits and its place. */
CLOPT_SHARED ulong evolution_digest(ulong bits, ulong place) {
  ulong x = bits + (place + 1) * (ulong)0x9e3779b97f4a7c15UL;
  x = (x ^ (x >> 30)) * (ulong)0xbf58476d1ce4e5b9UL;
  x = (x ^ (x >> 27)) * (ulong)0x94d049bb133111ebUL;
  return x ^ (x >> 31);
}

CLOPT_SHARED_END

#endif
