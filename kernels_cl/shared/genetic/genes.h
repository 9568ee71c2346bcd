/* What the genetic algorithm does to one gene that is a number, and to a permutation. `real` is float or double; in
 * OpenCL C OBJECTIVE_DOUBLE says which, and GENETIC_SPACE is the address space of genes. */
#ifndef CLOPT_SHARED_GENETIC_GENES_H
#define CLOPT_SHARED_GENETIC_GENES_H

#include "shared/elementary/elementary.h"
#include "genetic.h"

#ifdef __OPENCL_VERSION__
#ifndef GENETIC_SPACE
#define GENETIC_SPACE global
#endif
#if OBJECTIVE_DOUBLE
#define GENETIC_MATH(function) clopt_##function##_double
#define GENETIC_TURN 6.283185307179586
#else
#define GENETIC_MATH(function) clopt_##function##_float
#define GENETIC_TURN 6.283185307179586f
#endif
#define GENETIC_TEMPLATE static inline
#else
#define GENETIC_SPACE
#define GENETIC_MATH(function) clopt_##function
#define GENETIC_TURN 6.283185307179586
#define GENETIC_TEMPLATE               \
  template <class element, class real> \
  [[maybe_unused]] static inline
#endif

CLOPT_SHARED_BEGIN

/* A uniform word as a fraction in [0, 1): 24 bits of it for floats, all 32 for doubles. */
CLOPT_SHARED_TEMPLATE(real) real genetic_fraction(uint word, real unused) {
  (void)unused;
  return sizeof(real) == 8 ? (real)word * (real)0x1p-32f : (real)(word >> 8) * (real)0x1p-24f;
}

/* A point on the line through both parents, which continues beyond each by a part of their distance (section 2.1 of the
 * paper, after Muehlenbein and Schlierkamp-Voosen). */
CLOPT_SHARED_TEMPLATE(real) real genetic_on_line(real a, real b, uint word, real extension) {
  const real place = genetic_fraction(word, a) * ((real)1 + (real)2 * extension) - extension;
  return a + place * (b - a);
}

/* Deb and Agrawal's spread factor of simulated binary crossover; power is 1 / (distribution index + 1). */
CLOPT_SHARED_TEMPLATE(real) real genetic_spread(uint word, real power) {
  const real u = genetic_fraction(word, power);
  if (u <= (real)0.5f) return GENETIC_MATH(pow)((real)2 * u, power);
  return GENETIC_MATH(pow)((real)1 / ((real)2 * ((real)1 - u)), power);
}

/* The child near a; its sibling has the parents changed. */
CLOPT_SHARED_TEMPLATE(real) real genetic_near(real a, real b, real spread) {
  return (real)0.5f * (((real)1 + spread) * a + ((real)1 - spread) * b);
}

CLOPT_SHARED_TEMPLATE(real) real genetic_within(real value, real lower, real upper) {
  return value < lower ? lower : value > upper ? upper : value;
}

/* A standard normal number, by Box and Muller's method. */
CLOPT_SHARED_TEMPLATE(real) real genetic_normal(uint first, uint second, real unused) {
  const real radius = (real)1 - genetic_fraction(first, unused); /* not 0 */
  const real angle = (real)GENETIC_TURN * genetic_fraction(second, unused);
  return sqrt((real)-2 * GENETIC_MATH(log)(radius)) * GENETIC_MATH(cos)(angle);
}

/* Deb's polynomial mutation, in parts of the range; power is 1 / (distribution index + 1). */
CLOPT_SHARED_TEMPLATE(real) real genetic_polynomial(uint word, real power) {
  const real u = genetic_fraction(word, power);
  if (u < (real)0.5f) return GENETIC_MATH(pow)((real)2 * u, power) - (real)1;
  return (real)1 - GENETIC_MATH(pow)((real)2 * ((real)1 - u), power);
}

/* A recombined gene of the child that is nearer to a; for its sibling the parents change places.
 * word: its own of the gene's block; spread_word: the block's last, for both. `element` is the gene's type. */
GENETIC_TEMPLATE element genetic_crossed(genetic_settings run, element a, element b, uint word, uint spread_word,
                                         real extension, real power, real lower, real upper) {
  real value;
  if (run.crossover_kind == GENETIC_LINE)
    value = genetic_on_line((real)a, (real)b, word, extension);
  else if (run.crossover_kind == GENETIC_SIMULATED_BINARY)
    value = genetic_near((real)a, (real)b, genetic_spread(spread_word, power));
  else
    return b;
  return (element)genetic_within(value, lower, upper);
}

/* How far a mutated gene moves. size: the step, or the standard deviation. */
CLOPT_SHARED_TEMPLATE(real) real genetic_move(uint kind, random_block block, real size, real power, real range) {
  if (kind == GENETIC_GAUSSIAN) return size * genetic_normal(block.a, block.b, size);
  if (kind == GENETIC_POLYNOMIAL) return genetic_polynomial(block.a, power) * range;
  return (block.a & 1u) != 0u ? size : -size;
}

/* A mutated gene. Only a floating-point type has a half. */
GENETIC_TEMPLATE element genetic_changed(genetic_settings run, element gene, random_block block, real size, real power,
                                         real lower, real upper) {
  const real range = upper - lower;
  const real move = genetic_move(run.mutation_kind, block, run.relative_step != 0u ? size * range : size, power, range);
  if ((element)0.5f > (element)0) return (element)genetic_within((real)gene + move, lower, upper);
  {
    /* Bounds may be far narrower than a move. */
    const long to = (long)gene + (long)rint(genetic_within(move, (real)-0x1p40f, (real)0x1p40f));
    return (element)(to < (long)lower ? (long)lower : to > (long)upper ? (long)upper : to);
  }
}

/* A start gene between its bounds: the upper 24 or 53 bits of a word of 64. */
CLOPT_SHARED_TEMPLATE(real) real genetic_start(uint low, uint high, real lower, real upper) {
  const real fraction = sizeof(real) == 8
                            ? ((real)high * (real)0x1p-32f + (real)(low >> 11 << 11) * (real)0x1p-32f * (real)0x1p-32f)
                            : (real)(high >> 8) * (real)0x1p-24f;
  return genetic_within(lower * ((real)1 - fraction) + upper * fraction, lower, upper);
}

/* A start integer between its bounds, both included; they are less than 2^31 apart, so that the bias of 64 random bits
 * is below 2^-32. */
CLOPT_SHARED int genetic_start_integer(uint low, uint high, int lower, int upper) {
  return lower + (int)mul_hi(random_word_64(low, high), (ulong)(upper - lower) + 1);
}

/* Order crossover (Davis): the child has the genes of `kept` at the points and between them, where they are, and those
 * that are missing in the order in which `other` has them, beginning behind the last point. used: a bit a gene. */
CLOPT_SHARED void genetic_order_child(GENETIC_SPACE const uint* kept, GENETIC_SPACE const uint* other,
                                      GENETIC_SPACE uint* child, GENETIC_SPACE uint* used, uint genes,
                                      genetic_points points) {
  uint to = points.last + 1u;
  uint i;
  uint left;
  for (i = 0u; i < (genes + 31u) / 32u; ++i) used[i] = 0u;
  for (i = points.first; i <= points.last; ++i) {
    const uint gene = kept[i];
    child[i] = gene;
    used[gene >> 5] |= 1u << (gene & 31u);
  }
  left = genes - (points.last - points.first + 1u);
  for (i = to; left != 0u; ++i) {
    const uint gene = other[i < genes ? i : i - genes];
    if ((used[gene >> 5] >> (gene & 31u) & 1u) != 0u) continue;
    if (to >= genes) to = 0u;
    child[to] = gene;
    ++to;
    --left;
  }
}

/* The mutated genes of a unit of a permutation, one after the other: each changes places with another one, or what lies
 * between the two is turned around. */
CLOPT_SHARED void genetic_rearrange(GENETIC_SPACE uint* child, genetic_settings run, uint generation, uint individual,
                                    uint unit, ulong mask) {
  uint i;
  for (i = unit * GENETIC_UNIT; mask != 0; ++i, mask >>= 1) {
    uint from = i;
    uint to;
    if ((mask & 1) == 0) continue;
    to = genetic_below(run.seed, GENETIC_CHANGE, generation, genetic_individual_address(run, individual), i, run.genes);
    if (to == i) continue;
    if (run.mutation_kind == GENETIC_INVERSION && to < from) {
      from = to;
      to = i;
    }
    do {
      const uint gene = child[from];
      child[from] = child[to];
      child[to] = gene;
      ++from;
      --to;
    } while (run.mutation_kind == GENETIC_INVERSION && from < to);
  }
}

CLOPT_SHARED_END

#endif
