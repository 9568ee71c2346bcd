/* P, M and C together: the trial of an individual, from a population in POPULATION_SPACE to TRIAL_SPACE. */
#ifndef CLOPT_DIFFERENTIAL_EVOLUTION_TRIAL_CL
#define CLOPT_DIFFERENTIAL_EVOLUTION_TRIAL_CL

#include "differential_evolution/population.cl"

/* Parameter j of individual i is current[j * population + i], that of the parent own[j * stride], and that of the
 * trial trial[j * stride]. */
static inline void make_trial(POPULATION_SPACE const real* current, TRIAL_SPACE const real* own,
                              TRIAL_SPACE real* trial, uint stride, box within, evolution_donors donors,
                              archived_vector from, evolution_drawn drawn, evolution_address at, control with,
                              uint population) {
  /* Parameters are at fixed distances from these. */
  POPULATION_SPACE const real* const base = current + donors.base;
  POPULATION_SPACE const real* const plus = current + donors.plus;
  POPULATION_SPACE const real* const minus = current + donors.minus;
  POPULATION_SPACE const real* const second_plus = current + donors.second_plus;
  POPULATION_SPACE const real* const second_minus = current + (from.is_taken ? 0u : donors.second_minus);
  evolution_crossing now = evolution_crossing_of(at, drawn, DIMENSIONS, EXPONENTIAL, with.crossover);
#if PRIVATE_TRIAL
#pragma unroll
#endif
  for (uint j = 0; j < DIMENSIONS; ++j) {
    const uint parameter = j * population;
    real mutant = evolution_mutant(base[parameter], plus[parameter], minus[parameter], with.weight);
    if (evolution_has_second(STRATEGY) != 0u)
      mutant = evolution_mutant(mutant, second_plus[parameter], subtracted_last(second_minus[parameter], from, j),
                                with.weight);
    /* Both values are computed: a selection avoids divergence within a sub-group. */
    mutant = bounded(at, within, mutant, j);
    now = evolution_cross(now, at, j, drawn.forced, DIMENSIONS, EXPONENTIAL, with.crossover);
    trial[j * stride] = now.taken != 0u ? mutant : own[j * stride];
  }
}

#if PRIVATE_TRIAL
/* A vector that lies among others, into registers. */
static inline void take_vector(POPULATION_SPACE const real* from, uint population, private real* to) {
#pragma unroll
  for (uint j = 0; j < DIMENSIONS; ++j) to[j] = from[j * population];
}
#endif

#endif
