/* P, M and C together: the trial of an individual, from a population in POPULATION_SPACE to TRIAL_SPACE. */
#ifndef CLOPT_DIFFERENTIAL_EVOLUTION_TRIAL_CL
#define CLOPT_DIFFERENTIAL_EVOLUTION_TRIAL_CL

#include "differential_evolution/population.cl"

/* Parameter j of the problem's individual i is current[j * population + i], that of the trial trial[j * stride]. */
static inline void make_trial(POPULATION_SPACE const real* current, TRIAL_SPACE real* trial, uint stride,
                              global const real* bounds, evolution_donors donors, uint forced, address at,
                              control with, uint population) {
  const uint length = length_of(at, with.crossover);
#if DIMENSIONS <= MOST_UNROLLED
#pragma unroll
#endif
  for (uint group = 0; group < GENE_GROUPS; ++group) {
    const uint taken = taken_of(at, group, with.crossover, forced, length);
#pragma unroll
    for (uint gene = 0; gene < EVOLUTION_GROUP; ++gene) {
      const uint j = group * EVOLUTION_GROUP + gene;
      if (j < DIMENSIONS) {
        POPULATION_SPACE const real* const parameter = current + j * population;
        real mutant = evolution_mutant(parameter[donors.base], parameter[donors.plus], parameter[donors.minus],
                                       with.weight);
        if (evolution_has_second(STRATEGY) != 0u)
          mutant = evolution_mutant(mutant, parameter[donors.second_plus], parameter[donors.second_minus],
                                    with.weight);
        /* Both are at hand, and neighbours do not part ways. */
        mutant = bounded(at, bounds, mutant, j);
        trial[j * stride] = (taken >> gene & 1u) != 0u ? mutant : parameter[at.individual];
      }
    }
  }
}

#endif
