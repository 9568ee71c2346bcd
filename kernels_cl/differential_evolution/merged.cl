/* Stages that are one launch together (Qin et al. 2012), over all individuals of all problems. */
#if PRIVATE_TRIAL
#define TRIAL_SPACE private
#else
#define TRIAL_SPACE global
#endif
#define INDIVIDUAL_SPACE TRIAL_SPACE
#define POPULATION_SPACE global
#include "differential_evolution/trial.cl"
#include "differential_evolution/value.cl"

/* I and E, of the individuals from `begin` to `end` - 1, counted through all problems: of `generation` 0, or of the
 * problems that restart in a later one. */
kernel void initialise_and_evaluate(global real* vectors, global real* values, global real* controls,
                                    global evolution_state* states, global const real* bounds,
                                    global const real* initial, global const real* rows, global const real* tables,
                                    evolution_settings settings, real weight, real crossover, uint generation, ulong begin,
                                    ulong end) {
  const ulong id = begin + get_global_id(0);
  if (id >= end) return;
  const uint population = settings.population;
  const place here = place_of(id, population);
  if (generation != 0u && evolution_restarts(states[here.k], generation) == 0u) return;
  uint invalid = 0;
#if PRIVATE_TRIAL
  real vector[DIMENSIONS];
  const uint stride = 1;
#else
  global real* const vector = vectors + here.first;
  const uint stride = population;
#endif
  const box within = box_of(bounds);
  for (uint j = 0; j < DIMENSIONS; ++j) {
    vector[j * stride] =
        initial_parameter(settings, within, initial, here.k, states[here.k].problem, generation, here.i, j);
#if PRIVATE_TRIAL
    vectors[here.first + (ulong)j * population] = vector[j];
#endif
  }
  values[id] =
      value_of(vector, stride, rows + (ulong)here.k * settings.columns, tables, settings.columns, &invalid);
  if (invalid != 0) atomic_inc(&states[here.k].invalid);
  begin_controls(here.i, population, controls + first_control(here.k, population), weight, crossover);
}

/* M, C, R and E: the next generation of `vectors` into `next`, from what P has drawn. A problem's last generation is
 * copied once, so that both have it. `count` individuals in all. */
kernel void evolve(global const real* vectors, global real* next, global real* values, global const uint* drawn,
                   global real* controls, global evolution_state* states, global const uint* order,
                   global const real* archive, global const real* bounds, global const real* rows,
                   global const real* tables, evolution_settings settings, real weight, real target, uint generation,
                   ulong count) {
  if (get_global_id(0) >= count) return;
  const uint population = settings.population;
  const ulong id = get_global_id(0);
  const place here = place_of(id, population);
  const uint stopped_at = states[here.k].stopped_at;
  if (stopped_at < generation) {
    if (stopped_at + 1u == generation)
      for (uint j = 0; j < DIMENSIONS; ++j) {
        const ulong parameter = here.first + (ulong)j * population;
        next[parameter] = vectors[parameter];
      }
    return;
  }
  const uint alive = alive_in(settings, states + here.k);
  if (here.i >= alive) return;
  const evolution_address at = {settings.seed, states[here.k].problem, generation, here.i};
  global real* const own_controls = controls + first_control(here.k, population);
  global const uint* const words = drawn + (ulong)here.k * EVOLUTION_DRAWN_WORDS * population + here.i;
  const evolution_drawn individuals = drawn_at(words, population);
  const uint best = STRATEGY == EVOLUTION_CURRENT_TO_PBEST_1 ? order[(ulong)here.k * population + individuals.r4]
                                                             : states[here.k].best;
  const evolution_donors donors = evolution_donors_of(individuals, STRATEGY, here.i, best);
  const control with = control_of(settings, at, weight, own_controls);
  const box within = box_of(bounds);
  uint invalid = 0;
#if PRIVATE_TRIAL
  real own[DIMENSIONS];
  real trial[DIMENSIONS];
  const uint stride = 1;
  take_vector(vectors + here.first, population, own);
#else
  global const real* const own = vectors + here.first;
  global real* const trial = next + here.first;
  const uint stride = population;
#endif
  const archived_vector from =
      archived_of(settings, archive + (ulong)here.k * DIMENSIONS * settings.archive, donors, alive);
  make_trial(vectors + (here.first - here.i), own, trial, stride, within, donors, from, individuals, at, with,
             population);
  const real value =
      value_of(trial, stride, rows + (ulong)here.k * settings.columns, tables, settings.columns, &invalid);
  const real before = values[id];
  const bool better = value < before;
#if PRIVATE_TRIAL
#pragma unroll
  for (uint j = 0; j < DIMENSIONS; ++j) {
    const ulong parameter = here.first + (ulong)j * population;
    next[parameter] = better ? trial[j] : own[j];
  }
#else
  /* A better trial is in its place already. */
  for (uint j = 0; j < DIMENSIONS && !better; ++j) {
    const ulong parameter = here.first + (ulong)j * population;
    next[parameter] = vectors[parameter];
  }
#endif
  if (invalid != 0) atomic_inc(&states[here.k].invalid);
  keep_control(settings, at, with, own_controls, before, value);
  if (!better) return;
  values[id] = value;
  if ((settings.stop & EVOLUTION_STOP_TARGET) != 0u && value <= target)
    atomic_min(&states[here.k].stopped_at, generation);
}
