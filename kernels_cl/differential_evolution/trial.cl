/* P, M and C together: the trial of an individual, from a population in POPULATION_SPACE to TRIAL_SPACE. */
#ifndef CLOPT_DIFFERENTIAL_EVOLUTION_TRIAL_CL
#define CLOPT_DIFFERENTIAL_EVOLUTION_TRIAL_CL

#include "differential_evolution/population.cl"

/* Parameter j of the problem's individual i is current[j * population + i], that of the trial trial[j * stride]. */
static inline void make_trial(POPULATION_SPACE const real* current, TRIAL_SPACE real* trial, uint stride,
                              global const real* bounds, evolution_donors donors, uint forced, address at,
                              control with, uint population) {
  /* Parameters are at fixed distances from these. */
  POPULATION_SPACE const real* const own = current + at.individual;
  POPULATION_SPACE const real* const base = current + donors.base;
  POPULATION_SPACE const real* const plus = current + donors.plus;
  POPULATION_SPACE const real* const minus = current + donors.minus;
  POPULATION_SPACE const real* const second_plus = current + donors.second_plus;
  POPULATION_SPACE const real* const second_minus = current + donors.second_minus;
  const uint length = length_of(at, with.crossover);
#if PRIVATE_TRIAL
#pragma unroll
#endif
  for (uint group = 0; group < GENE_GROUPS; ++group) {
    const uint taken = taken_of(at, group, with.crossover, forced, length);
#if PRIVATE_TRIAL
#pragma unroll
#endif
    for (uint gene = 0; gene < EVOLUTION_GROUP; ++gene) {
      const uint j = group * EVOLUTION_GROUP + gene;
      if (j < DIMENSIONS) {
        const uint parameter = j * population;
        real mutant = evolution_mutant(base[parameter], plus[parameter], minus[parameter], with.weight);
        if (evolution_has_second(STRATEGY) != 0u)
          mutant = evolution_mutant(mutant, second_plus[parameter], second_minus[parameter], with.weight);
        /* Both are at hand, and neighbours do not part ways. */
        mutant = bounded(at, bounds, mutant, j);
        trial[j * stride] = (taken >> gene & 1u) != 0u ? mutant : own[parameter];
      }
    }
  }
}

#endif
