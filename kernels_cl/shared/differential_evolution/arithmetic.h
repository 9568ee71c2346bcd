/* The arithmetic of differential evolution: parameters drawn, mutated and kept within bounds, and the control
 * parameters of jDE and SHADE. */
#ifndef CLOPT_SHARED_DIFFERENTIAL_EVOLUTION_ARITHMETIC_H
#define CLOPT_SHARED_DIFFERENTIAL_EVOLUTION_ARITHMETIC_H

#include "differential_evolution.h"
#include "shared/elementary/float.h"

CLOPT_SHARED_BEGIN

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

/* A whole number within whole bounds, each as likely. */
CLOPT_SHARED_TEMPLATE(real)
real evolution_anywhere_whole(ulong seed, uint problem, uint generation, uint individual, uint stage, uint j,
                              real lower, real upper) {
  const real value = floor(evolution_anywhere(seed, problem, generation, individual, stage, j, lower,
                                              upper + (real)1));
  return value < upper ? value : upper;
}

/* One of the whole numbers beside `value`, the upper one with the probability of the part behind the point: a mutant
 * moves by as much as its differences say, on the average, and differences below one half are not lost. */
CLOPT_SHARED_TEMPLATE(real)
real evolution_whole(real value, ulong seed, uint problem, uint generation, uint individual, uint j) {
  const random_block block = evolution_random(seed, problem, generation, individual, EVOLUTION_DRAW_WHOLE + (j >> 1));
  const uint odd = j & 1u;
#ifdef __OPENCL_VERSION__
  const real fraction = evolution_fraction(odd != 0u ? block.c : block.a, odd != 0u ? block.d : block.b);
#else
  const real fraction = evolution_fraction<real>(odd != 0u ? block.c : block.a, odd != 0u ? block.d : block.b);
#endif
  const real least = floor(value);
  /* No negative zero, of which devices would take either. */
  return (fraction < value - least ? least + (real)1 : least) + (real)0;
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

/* A parameter no further out than its bounds, a NaN at the lower one. Bounds and parameters are not negative zeros, of
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

/* jDE (Brest et al. 2006) redraws F and CR with probability 0.1 each. */
#define EVOLUTION_JDE_WORD 429496730u

CLOPT_SHARED_TEMPLATE(real) real evolution_jde_weight(random_block block, real weight) {
  return block.a < EVOLUTION_JDE_WORD ? (real)0.1f + (real)0.9f * (real)uniform_float(block.b) : weight;
}

CLOPT_SHARED_TEMPLATE(real) real evolution_jde_crossover(random_block block, real crossover) {
  return block.c < EVOLUTION_JDE_WORD ? (real)uniform_float(block.d) : crossover;
}

/* SHADE draws CR from a normal distribution around a remembered one (Box and Muller 1958); always in single
 * precision, which every device has. */
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
  const real most = least < (real)1 ? least : (real)1;
  return remembered < (real)0 ? (real)0 : most;
}

/* An F around a remembered one, at most 1; one that is not above 0 is drawn again. */
CLOPT_SHARED_TEMPLATE(real) real evolution_tried_weight(uint word, real remembered) {
  const real weight = remembered + (real)0.1f * (real)evolution_cauchy(word);
  return weight < (real)1 ? weight : (real)1;
}

/* F above 0, drawn again from the blocks that follow where it is not. */
CLOPT_SHARED_TEMPLATE(real)
real evolution_shade_weight(ulong seed, uint problem, uint generation, uint individual, random_block block,
                            real remembered) {
  uint attempt;
  uint word = block.d;
  for (attempt = 1u; attempt < 64u; ++attempt) {
    const real weight = evolution_tried_weight(word, remembered);
    if (weight > (real)0) return weight;
    word = evolution_random(seed, problem, generation, individual, EVOLUTION_DRAW_CONTROL + attempt).d;
  }
  return (real)0.1f;
}

/* What a better trial counts for: its gain, where that is a number above 0. */
CLOPT_SHARED_TEMPLATE(real) real evolution_gain(real before, real after) {
  const real gain = before - after;
  return gain > (real)0 && gain <= (real)3.0e38f ? gain : (real)0;
}

/* With constraints a gain may be of the value, of the violation, or of feasibility, and these have no common measure:
 * every better trial counts for as much. */
CLOPT_SHARED_TEMPLATE(real) real evolution_weight_of(real before, real after, uint constrained) {
  if (constrained != 0u) return after < before ? (real)1 : (real)0;
#ifdef __OPENCL_VERSION__
  return evolution_gain(before, after);
#else
  return evolution_gain<real>(before, after);
#endif
}

/* What SHADE sums up of a generation's better trials: their gains, and by them weighted F, F squared, CR and CR
 * squared. */
#ifdef __OPENCL_VERSION__
struct evolution_sums
#else
template <class real>
struct evolution_sums
#endif
{
  real gains;
  real weights;
  real weight_squares;
  real crossovers;
  real crossover_squares;
};
#ifdef __OPENCL_VERSION__
typedef struct evolution_sums evolution_sums;
#define EVOLUTION_SUMS evolution_sums
#else
#define EVOLUTION_SUMS evolution_sums<real>
#endif

CLOPT_SHARED_TEMPLATE(real)
EVOLUTION_SUMS evolution_sum_up(EVOLUTION_SUMS sums, real gain, real weight, real crossover) {
  sums.gains += gain;
  sums.weights += gain * weight;
  sums.weight_squares += gain * weight * weight;
  sums.crossovers += gain * crossover;
  sums.crossover_squares += gain * crossover * crossover;
  return sums;
}

/* Whether there is something to remember: 1 or 0. */
CLOPT_SHARED_TEMPLATE(real) uint evolution_is_of_use(EVOLUTION_SUMS sums) {
  return sums.weights > (real)0 && sums.gains <= (real)3.0e38f ? 1u : 0u;
}

/* The F to remember: Lehmer's mean. */
CLOPT_SHARED_TEMPLATE(real) real evolution_useful_weight(EVOLUTION_SUMS sums) {
  return sums.weight_squares / sums.weights;
}

/* The CR to remember in place of `before`: the mean (2013, equation 9), or Lehmer's with the terminal value (2014,
 * algorithm 1). */
CLOPT_SHARED_TEMPLATE(real) real evolution_useful_crossover(EVOLUTION_SUMS sums, real before, uint adapt) {
  if (adapt != EVOLUTION_LSHADE) return sums.crossovers / sums.gains;
  if (before < (real)0 || !(sums.crossovers > (real)0)) return (real)EVOLUTION_NEVER;
  return sums.crossover_squares / sums.crossovers;
}

/* Whether the values of a population are finite, and lie within a small part of their size: 1 or 0. */
CLOPT_SHARED_TEMPLATE(real) uint evolution_is_collapsed(real least, real greatest) {
  const real size = fabs(least) > fabs(greatest) ? fabs(least) : fabs(greatest);
  return size < (real)INFINITY && greatest - least <= size * (real)(sizeof(real) == 8 ? 0x1p-30f : 0x1p-13f) ? 1u : 0u;
}

/* CR from 0 to 1 in units of 2^-32. */
CLOPT_SHARED_TEMPLATE(real) ulong evolution_probability(real crossover) {
  return convert_ulong(crossover * (real)0x1p32f);
}

/* What a number adds to the digest of a problem's final state, a sum modulo 2^64: the finaliser of SplitMix64
 * (Steele, Lea and Flood, OOPSLA 2014) of its bits and its place. */
CLOPT_SHARED ulong evolution_digest(ulong bits, ulong place) {
  ulong x = bits + (place + 1) * (ulong)0x9e3779b97f4a7c15UL;
  x = (x ^ (x >> 30)) * (ulong)0xbf58476d1ce4e5b9UL;
  x = (x ^ (x >> 27)) * (ulong)0x94d049bb133111ebUL;
  return x ^ (x >> 31);
}

CLOPT_SHARED_END

#endif
