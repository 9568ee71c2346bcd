/* Crossover and mutation of bits that are not packed, a gene a work-item, which decides about it by itself: algorithms 3
 * and 4 of the thesis. */
#ifndef CLOPT_GENETIC_PAIR_GENES_CL
#define CLOPT_GENETIC_PAIR_GENES_CL

#include "genetic/pair_members.cl"
#include "shared/genetic/mutation.h"

static inline void cross_pair(GENETIC_SPACE const element* population, GENETIC_SPACE element* children,
                              global const real* numbers, GENETIC_SPACE uint* scratch, genetic_settings run,
                              uint generation, uint pair, genetic_family family, genetic_points points, uint lane,
                              uint lanes, uint turn) {
  GENETIC_SPACE const element* mother = population + (ulong)family.first_parent * run.row;
  GENETIC_SPACE const element* father = population + (ulong)family.second_parent * run.row;
  GENETIC_SPACE element* first = children + (ulong)family.first_child * run.row;
  GENETIC_SPACE element* second = children + (ulong)family.second_child * run.row;
  for (uint gene = lane; gene < run.genes; gene += lanes) {
    const uint swaps = genetic_gene_swapped(run, generation, pair, gene, points);
    const element a = mother[gene];
    const element b = father[gene];
    first[gene] = swaps != 0u ? b : a;
    if (family.has_second != 0u) second[gene] = swaps != 0u ? a : b;
  }
}

static inline void mutate_pair(GENETIC_SPACE element* children, global const real* numbers,
                               global const genetic_settings* settings, genetic_settings run, uint generation,
                               uint pair, genetic_family family, uint lane, uint lanes) {
  GENETIC_SPACE element* first = children + (ulong)family.first_child * run.row;
  GENETIC_SPACE element* second = children + (ulong)family.second_child * run.row;
  if (run.mutation_way == GENETIC_NEVER) return;
  for (uint gene = lane; gene < run.genes; gene += lanes) {
    const genetic_masks masks = genetic_mutated(run, generation, pair, gene / GENETIC_UNIT);
    first[gene] ^= (uint)(masks.first >> gene % GENETIC_UNIT) & 1u;
    if (family.has_second != 0u) second[gene] ^= (uint)(masks.second >> gene % GENETIC_UNIT) & 1u;
  }
}

#endif
