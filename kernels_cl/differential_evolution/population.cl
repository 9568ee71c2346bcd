/* How kernels of differential evolution find their individual, and how they make a trial.
 *
 * The program defines what a run fixes: DIMENSIONS, STRATEGY, EXPONENTIAL, ADAPT, BOUNDS, and UNIFORM_BOUNDS where all
 * parameters have the same; PRIVATE_TRIAL where short vectors are held in registers, and loops over them unrolled.
 * Vectors lie parameter by parameter within a problem (figure 2 of the paper): parameter j of
 * individual i of problem k is vectors[(k * DIMENSIONS + j) * population + i]. Bounds are the lower ones, then the upper.
 */
#ifndef CLOPT_DIFFERENTIAL_EVOLUTION_POPULATION_CL
#define CLOPT_DIFFERENTIAL_EVOLUTION_POPULATION_CL

#include "shared/differential_evolution.h"
#include "shared/differential_evolution_arithmetic.h"
#include "shared/differential_evolution_crossover.h"

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

/* The bounds of all parameters; those that all have in common are read once. */
typedef struct {
  global const real* bounds;
  real lower;
  real upper;
} box;

static inline box box_of(global const real* bounds) {
  box result;
  result.bounds = bounds;
  result.lower = bounds[0];
  result.upper = bounds[DIMENSIONS];
  return result;
}
static inline real lower_bound(box within, uint j) { return UNIFORM_BOUNDS ? within.lower : within.bounds[j]; }
static inline real upper_bound(box within, uint j) {
  return UNIFORM_BOUNDS ? within.upper : within.bounds[DIMENSIONS + j];
}

/* F and CR of an individual in a generation. */
typedef struct {
  real weight;
  ulong crossover;
} control;

/* `controls` are the problem's own. */
static inline control control_of(evolution_settings settings, evolution_address at, real weight, global const real* controls) {
  control result;
  result.weight = weight;
  result.crossover = settings.crossover;
#if ADAPT == 1
  const random_block block = random_at(at.seed, at.problem, at.generation, at.individual, EVOLUTION_DRAW_CONTROL);
  result.weight = evolution_jde_weight(block, controls[at.individual]);
  result.crossover =
      evolution_probability(evolution_jde_crossover(block, controls[settings.population + at.individual]));
#elif ADAPT == 2
  const random_block block = random_at(at.seed, at.problem, at.generation, at.individual, EVOLUTION_DRAW_CONTROL);
  global const real* const history = controls + EVOLUTION_HISTORY_BEGIN(settings.population);
  const uint remembered = uniform_below(block.a, EVOLUTION_HISTORY);
  result.weight = evolution_shade_weight(at.seed, at.problem, at.generation, at.individual, block, history[remembered]);
  result.crossover =
      evolution_probability(evolution_shade_crossover(block, history[EVOLUTION_HISTORY + remembered]));
#endif
  return result;
}

/* Keeps what became of an individual's F and CR. */
static inline void keep_control(evolution_settings settings, evolution_address at, global real* controls, real before,
                                real after) {
#if ADAPT == 1
  if (!(after < before)) return;
  const random_block block = random_at(at.seed, at.problem, at.generation, at.individual, EVOLUTION_DRAW_CONTROL);
  global real* const own = controls + at.individual;
  own[0] = evolution_jde_weight(block, own[0]);
  own[settings.population] = evolution_jde_crossover(block, own[settings.population]);
#elif ADAPT == 2
  const random_block block = random_at(at.seed, at.problem, at.generation, at.individual, EVOLUTION_DRAW_CONTROL);
  global const real* const history = controls + EVOLUTION_HISTORY_BEGIN(settings.population);
  const uint remembered = uniform_below(block.a, EVOLUTION_HISTORY);
  global real* const own = controls + at.individual;
  own[0] = evolution_shade_weight(at.seed, at.problem, at.generation, at.individual, block, history[remembered]);
  own[settings.population] = evolution_shade_crossover(block, history[EVOLUTION_HISTORY + remembered]);
  own[2u * settings.population] = evolution_gain(before, after);
#endif
}

/* F and CR to begin with, by the work-item of each individual. */
static inline void begin_controls(uint individual, uint population, global real* controls, real weight,
                                  real crossover) {
#if ADAPT != 0
  controls[individual] = weight;
  controls[population + individual] = crossover;
#endif
#if ADAPT == 2
  controls[2u * population + individual] = 0;
  if (individual != 0u) return;
  global real* const history = controls + EVOLUTION_HISTORY_BEGIN(population);
  for (uint n = 0; n < EVOLUTION_HISTORY; ++n) {
    history[n] = (real)0.5f;
    history[EVOLUTION_HISTORY + n] = (real)0.5f;
  }
  history[2u * EVOLUTION_HISTORY] = 0;
#endif
}

/* SHADE's history after a generation, by one work-item: means of the F and CR that made better individuals, weighted by
 * the gains (Tanabe and Fukunaga 2013, equations 8 to 13). The sums have the order of the individuals. */
static inline void remember_controls(uint population, global real* controls) {
#if ADAPT == 2
  global real* const history = controls + EVOLUTION_HISTORY_BEGIN(population);
  real gains = 0;
  real crossovers = 0;
  real weights = 0;
  real squares = 0;
  for (uint i = 0; i < population; ++i) {
    const real gain = controls[2u * population + i];
    const real weight = controls[i];
    gains += gain;
    crossovers += gain * controls[population + i];
    weights += gain * weight;
    squares += gain * weight * weight;
  }
  if (!(weights > (real)0 && gains <= (real)3.0e38f)) return;
  const uint place = (uint)history[2u * EVOLUTION_HISTORY];
  history[place] = squares / weights;
  history[EVOLUTION_HISTORY + place] = crossovers / gains;
  history[2u * EVOLUTION_HISTORY] = (real)((place + 1u) % EVOLUTION_HISTORY);
#endif
}

/* Where a problem's control parameters begin. */
static inline ulong first_control(uint k, uint population) { return (ulong)k * evolution_controls(ADAPT, population); }

/* The draws that a launch of P left for an individual; `words` are the individual's, `population` apart. */
static inline evolution_drawn drawn_at(global const uint* words, uint population) {
  evolution_drawn drawn;
  drawn.r1 = words[0];
  drawn.r2 = words[population];
  drawn.r3 = words[2 * population];
  drawn.r4 = words[3 * population];
  drawn.r5 = words[4 * population];
  drawn.forced = words[5 * population];
  drawn.even = words[6 * population];
  drawn.odd = words[7 * population];
  return drawn;
}

static inline real bounded(evolution_address at, box within, real value, uint j) {
  return evolution_bounded(value, lower_bound(within, j), upper_bound(within, j), BOUNDS, at.seed, at.problem,
                           at.generation, at.individual, j);
}

#endif
