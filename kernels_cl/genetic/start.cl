/* The start population, and the one that a restart draws. */
#include "common/objective.cl"
#include "shared/genetic/genes.h"

/* Draws the population of a generation, 0 or one that restarts, from individual `first` to the last one. Launched over
 * units of 64 genes, or over individuals for permutations. */
kernel void start(global element* population, global const real* numbers, global const genetic_settings* settings,
                  uint generation, uint first) {
  const genetic_settings run = genetic_settings_of(settings);
  const ulong number = get_global_id(0);
#if OBJECTIVE_KIND == 3
  const ulong i = first + number;
  if (i >= (ulong)run.population * run.islands) return;
  {
    /* Fisher and Yates, from the inside out. */
    global uint* genes = population + i * run.row;
    for (uint gene = 0u; gene < run.genes; ++gene) {
      const uint place =
          genetic_below(run.seed, GENETIC_START, generation, genetic_individual_address(run, (uint)i), gene, gene + 1u);
      genes[gene] = genes[place];
      genes[place] = gene;
    }
  }
#else
  const ulong i = first + number / run.units;
  const uint unit = (uint)(number % run.units);
  if (i >= (ulong)run.population * run.islands) return;
#if OBJECTIVE_KIND == 0
  {
    const random_block block = genetic_of_individual(run, GENETIC_START, generation, (uint)i, unit);
    ((global ulong*)(population + i * run.row))[unit] =
        random_word_64(block.a, block.b) & genetic_existing(run.genes, unit);
  }
#else
  for (uint gene = unit * GENETIC_UNIT; gene < min((unit + 1u) * GENETIC_UNIT, run.genes); ++gene) {
    const random_block block = genetic_of_individual(run, GENETIC_START, generation, (uint)i, gene);
    const uint bounds = GENETIC_BOUNDS + (run.bounds_each != 0u ? 2u * gene : 0u);
#if OBJECTIVE_KIND == 1
    population[i * run.row + gene] = genetic_start(block.a, block.b, numbers[bounds], numbers[bounds + 1u]);
#else
    population[i * run.row + gene] =
        genetic_start_integer(block.a, block.b, (int)numbers[bounds], (int)numbers[bounds + 1u]);
#endif
  }
#endif
#endif
}
