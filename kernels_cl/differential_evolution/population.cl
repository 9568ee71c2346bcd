/* How kernels of differential evolution find their individual, and how they make a trial.
 *
 * The program defines what a run fixes: DIMENSIONS, STRATEGY, EXPONENTIAL, ADAPT, BOUNDS, and UNIFORM_BOUNDS where all
 * parameters have the same; WHOLE where some are whole numbers; CONSTRAINED; MAXIMISE; PRIVATE_TRIAL where short
 * vectors are held in registers, and loops over them unrolled. Vectors lie parameter by parameter within a problem
 * (figure 2 of the paper): parameter j of individual i of problem k is vectors[(k * DIMENSIONS + j) * population + i].
 * Bounds are the lower ones, then the upper.
 */
#ifndef CLOPT_DIFFERENTIAL_EVOLUTION_POPULATION_CL
#define CLOPT_DIFFERENTIAL_EVOLUTION_POPULATION_CL

#include "shared/differential_evolution/differential_evolution.h"
#include "shared/differential_evolution/arithmetic.h"
#include "shared/differential_evolution/crossover.h"

/* An individual of a problem, as a launch over all individuals of all problems counts them. */
typedef struct {
  uint k; /* the problem's place in the buffers */
  uint i;
  ulong first; /* of the individual's parameters, `population` apart */
} place;

CLOPT_KERNEL_FUNCTION place place_of(ulong id, uint population) {
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

CLOPT_KERNEL_FUNCTION box box_of(global const real* bounds) {
  box result;
  result.bounds = bounds;
  result.lower = bounds[0];
  result.upper = bounds[DIMENSIONS];
  return result;
}
CLOPT_KERNEL_FUNCTION real lower_bound(box within, uint j) { return UNIFORM_BOUNDS ? within.lower : within.bounds[j]; }
CLOPT_KERNEL_FUNCTION real upper_bound(box within, uint j) {
  return UNIFORM_BOUNDS ? within.upper : within.bounds[DIMENSIONS + j];
}

/* Whether a parameter is a whole number: the flags follow the bounds. */
CLOPT_KERNEL_FUNCTION bool is_whole(box within, uint j) {
  return WHOLE && within.bounds[2u * DIMENSIONS + j] != (real)0;
}

/* Parameter j of an initial vector of the problem at place k: of a start vector that was given, or drawn; of a later
 * generation, where the problem restarts, drawn. */
CLOPT_KERNEL_FUNCTION real initial_parameter(evolution_settings settings, box within, global const real* initial,
                                             uint k, uint problem, uint generation, uint i, uint j) {
  if (generation == 0u && i < settings.initial) return initial[((ulong)k * settings.initial_step + i) * DIMENSIONS + j];
  if (is_whole(within, j))
    return evolution_anywhere_whole(settings.seed, problem, generation, i, EVOLUTION_DRAW_INITIAL, j, lower_bound(within, j),
                                    upper_bound(within, j));
  return evolution_anywhere(settings.seed, problem, generation, i, EVOLUTION_DRAW_INITIAL, j, lower_bound(within, j),
                            upper_bound(within, j));
}

/* F and CR of an individual in a generation. */
typedef struct {
  real weight;
  real crossover_rate; /* where it adapts itself */
  ulong crossover;     /* in units of 2^-32 */
} control;

/* Where control parameters are while a kernel works on them. */
#ifndef CONTROL_SPACE
#define CONTROL_SPACE global
#endif

/* `controls` are the problem's own. */
CLOPT_KERNEL_FUNCTION control control_of(evolution_settings settings, evolution_address at, real weight,
                                         CONTROL_SPACE const real* controls) {
  control result;
  result.weight = weight;
  result.crossover_rate = (real)0;
  result.crossover = settings.crossover;
  if (ADAPT == EVOLUTION_FIXED) return result;
  const random_block block =
      evolution_random(at.seed, at.problem, at.generation, at.individual, EVOLUTION_DRAW_CONTROL);
  if (ADAPT == EVOLUTION_JDE) {
    result.weight = evolution_jde_weight(block, controls[at.individual]);
    result.crossover_rate = evolution_jde_crossover(block, controls[settings.population + at.individual]);
  } else {
    CONTROL_SPACE const real* const history = controls + EVOLUTION_HISTORY_BEGIN(settings.population);
    const uint remembered = uniform_below(block.a, EVOLUTION_HISTORY(ADAPT));
    result.weight =
        evolution_shade_weight(at.seed, at.problem, at.generation, at.individual, block, history[remembered]);
    result.crossover_rate = evolution_shade_crossover(block, history[EVOLUTION_HISTORY(ADAPT) + remembered]);
  }
  result.crossover = evolution_probability(result.crossover_rate);
  return result;
}

/* Keeps what became of an individual's F and CR. */
CLOPT_KERNEL_FUNCTION void keep_control(evolution_settings settings, evolution_address at, control with,
                                        CONTROL_SPACE real* controls, real before, real after) {
  const bool is_better = after < before;
  if (ADAPT == EVOLUTION_FIXED) return;
  if (ADAPT == EVOLUTION_JDE && !is_better) return;
  CONTROL_SPACE real* const own = controls + at.individual;
  own[0] = with.weight;
  own[settings.population] = with.crossover_rate;
  if (evolution_remembers(ADAPT) != 0u) own[2u * settings.population] = evolution_weight_of(before, after, CONSTRAINED);
}

/* F and CR to begin with, by the work-item of each individual. */
CLOPT_KERNEL_FUNCTION void begin_controls(uint individual, uint population, CONTROL_SPACE real* controls, real weight,
                                          real crossover) {
  if (ADAPT == EVOLUTION_FIXED) return;
  controls[individual] = weight;
  controls[population + individual] = crossover;
  if (evolution_remembers(ADAPT) == 0u) return;
  controls[2u * population + individual] = 0;
  if (individual != 0u) return;
  CONTROL_SPACE real* const history = controls + EVOLUTION_HISTORY_BEGIN(population);
  for (uint n = 0; n < EVOLUTION_HISTORY(ADAPT); ++n) {
    history[n] = (real)0.5f;
    history[EVOLUTION_HISTORY(ADAPT) + n] = (real)0.5f;
  }
  history[2u * EVOLUTION_HISTORY(ADAPT)] = 0;
}

/* What is remembered after a generation, by one work-item, from its sums: means of the F and CR that made better
 * individuals, weighted by the gains (Tanabe and Fukunaga 2013, equations 8 to 13; L-SHADE's mean of CR is Lehmer's,
 * 2014, algorithm 1). */
CLOPT_KERNEL_FUNCTION void remember_sums(uint population, EVOLUTION_SUMS sums, CONTROL_SPACE real* controls) {
  CONTROL_SPACE real* const history = controls + EVOLUTION_HISTORY_BEGIN(population);
  CONTROL_SPACE real* const crossover_history = history + EVOLUTION_HISTORY(ADAPT);
  if (evolution_is_of_use(sums) == 0u) return;
  const uint next = (uint)crossover_history[EVOLUTION_HISTORY(ADAPT)];
  history[next] = evolution_useful_weight(sums);
  crossover_history[next] = evolution_useful_crossover(sums, crossover_history[next], ADAPT);
  crossover_history[EVOLUTION_HISTORY(ADAPT)] = (real)((next + 1u) % EVOLUTION_HISTORY(ADAPT));
}

/* The same with the sums, in the order of the individuals. */
CLOPT_KERNEL_FUNCTION void remember_controls(uint population, uint alive, CONTROL_SPACE real* controls) {
  EVOLUTION_SUMS sums = {0, 0, 0, 0, 0};
  for (uint i = 0; i < alive; ++i)
    sums = evolution_sum_up(sums, controls[2u * population + i], controls[i], controls[population + i]);
  remember_sums(population, sums, controls);
}

/* Where a problem's control parameters begin. */
CLOPT_KERNEL_FUNCTION ulong first_control(uint k, uint population) {
  return (ulong)k * evolution_controls(ADAPT, population);
}

/* Writes what evolution_with_least() has changed. */
CLOPT_KERNEL_FUNCTION void keep_progress(evolution_state own, global evolution_state* state) {
  state->improved_at = own.improved_at;
  state->least = own.least;
}

/* Individuals of a problem, which are fewer than there is room for where the population has shrunk. */
CLOPT_KERNEL_FUNCTION uint alive_in(evolution_settings settings, global const evolution_state* state) {
  return ADAPT == EVOLUTION_LSHADE ? state->alive : settings.population;
}

/* Archived vectors that a mutant may be made of. */
CLOPT_KERNEL_FUNCTION uint archived_in(global const evolution_state* state) {
  return evolution_has_archive(STRATEGY, ADAPT) != 0u ? state->archived : 0u;
}

/* A vector of the archive that takes the place of the individual that is subtracted last. */
typedef struct {
  global const real* first; /* of its parameters, `stride` apart */
  uint stride;
  bool is_taken;
} archived_vector;

/* `archive` is the problem's own. */
CLOPT_KERNEL_FUNCTION archived_vector archived_of(evolution_settings settings, global const real* archive,
                                                  evolution_donors donors, uint alive) {
  archived_vector from;
  from.is_taken = evolution_has_archive(STRATEGY, ADAPT) != 0u && donors.second_minus >= alive;
  from.first = archive + (from.is_taken ? donors.second_minus - alive : 0u);
  from.stride = settings.archive;
  return from;
}

/* Parameter j of the vector that is subtracted last, where `usual` is that of the individual. */
CLOPT_KERNEL_FUNCTION real subtracted_last(real usual, archived_vector from, uint j) {
  if (evolution_has_archive(STRATEGY, ADAPT) == 0u) return usual;
  return from.is_taken ? from.first[j * from.stride] : usual;
}

/* The draws that a launch of P left for an individual; `words` are the individual's, `population` apart. */
CLOPT_KERNEL_FUNCTION evolution_drawn drawn_at(global const uint* words, uint population) {
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

/* A block of crossover that a launch of P left behind them. */
CLOPT_KERNEL_FUNCTION random_block drawn_block_at(global const uint* words, uint population, uint number) {
  global const uint* const own = words + (ulong)(EVOLUTION_DRAWN_WORDS + 4u * number) * population;
  random_block block;
  block.a = own[0];
  block.b = own[population];
  block.c = own[2 * population];
  block.d = own[3 * population];
  return block;
}

CLOPT_KERNEL_FUNCTION real bounded(evolution_address at, box within, real value, uint j) {
  const real inside = evolution_bounded(value, lower_bound(within, j), upper_bound(within, j), BOUNDS, at.seed,
                                        at.problem, at.generation, at.individual, j);
  if (!is_whole(within, j)) return inside;
  return evolution_whole(inside, at.seed, at.problem, at.generation, at.individual, j);
}

#endif
