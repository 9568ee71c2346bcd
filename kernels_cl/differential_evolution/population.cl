/* How kernels of differential evolution find their individual, and how they make a trial.
 *
 * The program defines what a run fixes: DIMENSIONS, STRATEGY, EXPONENTIAL, ADAPT, BOUNDS, and UNIFORM_BOUNDS where all
 * parameters have the same. Vectors lie parameter by parameter within a problem (figure 2 of the paper): parameter j of
 * individual i of problem k is vectors[(k * DIMENSIONS + j) * population + i]. Bounds are the lower ones, then the upper.
 */
#ifndef CLOPT_DIFFERENTIAL_EVOLUTION_POPULATION_CL
#define CLOPT_DIFFERENTIAL_EVOLUTION_POPULATION_CL

#include "shared/differential_evolution.h"

/* Vectors up to here are held in registers, and loops over them are unrolled. */
#define MOST_UNROLLED 32u

#define GENE_GROUPS ((DIMENSIONS + EVOLUTION_GROUP - 1u) / EVOLUTION_GROUP)

/* An individual of a problem, as a launch over all individuals of all problems counts them. */
typedef struct {
  uint k; /* the problem's place in the buffers */
  uint i;
  ulong first; /* of the individual's parameters, `population` apart */
} place;

static inline place place_of(ulong id, uint population) {
  place here;
  here.k = (uint)(id / population);
  here.i = (uint)(id - (ulong)here.k * population);
  here.first = (ulong)here.k * DIMENSIONS * population + here.i;
  return here;
}

static inline real lower_bound(global const real* bounds, uint j) { return bounds[UNIFORM_BOUNDS ? 0u : j]; }
static inline real upper_bound(global const real* bounds, uint j) {
  return bounds[UNIFORM_BOUNDS ? DIMENSIONS : DIMENSIONS + j];
}

/* Which numbers an individual's draws have in a generation. */
typedef struct {
  ulong seed;
  uint problem;
  uint generation;
  uint individual;
} address;

/* F and CR of an individual in a generation. */
typedef struct {
  real weight;
  ulong crossover;
} control;

static inline control control_of(evolution_settings settings, address at, real weight, global const real* controls,
                                 ulong own, uint population) {
  control result;
  result.weight = weight;
  result.crossover = settings.crossover;
#if ADAPT == 1
  const random_block block = random_at(at.seed, at.problem, at.generation, at.individual, EVOLUTION_DRAW_CONTROL);
  result.weight = evolution_jde_weight(block, controls[own]);
  result.crossover = evolution_probability(evolution_jde_crossover(block, controls[own + population]));
#endif
  return result;
}

/* Keeps what made a better individual. */
static inline void keep_control(address at, global real* controls, ulong own, uint population) {
#if ADAPT == 1
  const random_block block = random_at(at.seed, at.problem, at.generation, at.individual, EVOLUTION_DRAW_CONTROL);
  controls[own] = evolution_jde_weight(block, controls[own]);
  controls[own + population] = evolution_jde_crossover(block, controls[own + population]);
#endif
}

/* F lies at controls[own_control()], CR a population behind. */
static inline ulong own_control(uint k, uint i, uint population) { return (ulong)k * 2u * population + i; }

static inline uint length_of(address at, ulong crossover) {
  return EXPONENTIAL != 0u
             ? evolution_length(at.seed, at.problem, at.generation, at.individual, DIMENSIONS, crossover)
             : 0u;
}

static inline uint taken_of(address at, uint group, ulong crossover, uint forced, uint length) {
  return evolution_taken(at.seed, at.problem, at.generation, at.individual, group, crossover, EXPONENTIAL, forced,
                         length, DIMENSIONS);
}

static inline real bounded(address at, global const real* bounds, real value, uint j) {
  return evolution_bounded(value, lower_bound(bounds, j), upper_bound(bounds, j), BOUNDS, at.seed, at.problem,
                           at.generation, at.individual, j);
}

#endif
