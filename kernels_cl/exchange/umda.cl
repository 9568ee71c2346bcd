/* The whole UMDA on a device (section 4 of the paper), two launches a generation; see shared/exchange_umda.h.
 *
 * Individuals lie in rows of genes; rows[i] is individual i's. There are rows to spare for the new individuals of a
 * generation, which then take their predecessors' places, whose rows become the spare ones.
 */
#include "exchange/histogram.cl"

/* The first population, individual i in row i. Launched over the genes and, in the second dimension, individuals. */
kernel void first_population(global uint* genes, global const exchange_gene* table, exchange_population population) {
  const uint gene = (uint)get_global_id(0);
  const uint individual = (uint)get_global_id(1);
  if (gene >= population.genes) return;
  genes[(ulong)individual * population.genes + gene] =
      exchange_first_gene(population, individual, gene, table[gene].paths);
}

/* Selects the parents' rows and the places of the individuals that are replaced. found becomes the number of generations
 * made, plus 1, as soon as an individual has no conflicts: then nothing changes any more. Launched over the parents, who
 * are half of the population, by one work-group. */
kernel void select_parents(global const ulong* fitness, global const uint* rows, global uint* parent_rows,
                           global uint* replaced, global uint* found, exchange_population population) {
  const uint parents = population.individuals / 2u;
  for (uint i = (uint)get_local_id(0); i < population.individuals; i += (uint)get_local_size(0))
    if (fitness[i] == 0) atomic_cmpxchg(found, 0u, population.generation);
  for (uint k = (uint)get_local_id(0); k < parents; k += (uint)get_local_size(0)) {
    const exchange_duel duel = exchange_tournament(population, k);
    const exchange_duel pair = exchange_pair(population, k);
    parent_rows[k] = rows[fitness[duel.b] < fitness[duel.a] ? duel.b : duel.a];
    replaced[k] = fitness[pair.b] < fitness[pair.a] ? pair.a : pair.b;
  }
}

/* Makes new individuals, a work-group each, and puts them into their places; `words` words of local memory: see
 * histogram.cl. Nothing happens where found is not 0. */
kernel SUBGROUP_REQUIRE void evolve(global uint* genes, global const exchange_gene* table, global const ushort* paths,
                                    global ulong* fitness, global uint* rows, global uint* spare_rows,
                                    global const uint* parent_rows, global const uint* replaced,
                                    global const uint* found, exchange_population population, uint words,
                                    local uint* uses) {
  SUBGROUP_BEGIN(sg, FITNESS_GROUP_SIZE);
  local ulong parts[FITNESS_GROUP_SIZE + 1];
  const uint item = (uint)get_local_id(0);
  const uint k = (uint)get_group_id(0);
  const uint parents = population.individuals / 2u;
  const uint row = spare_rows[k];
  global uint* own = genes + (ulong)row * population.genes;
  /* Without a loop that only some work-groups enter, where there is a barrier: no genes, then. */
  const uint count = found[0] == 0 ? population.genes : 0;
  for (uint block = item; 4u * block < count; block += (uint)get_local_size(0)) {
    const random_block random = exchange_sample_words(population, k, block);
    const uint sample[4] = {random.a, random.b, random.c, random.d};
    for (uint i = 0; i < 4u && 4u * block + i < population.genes; ++i) {
      const uint gene = 4u * block + i;
      const ulong slot_row = parent_rows[exchange_slot_parent(sample[i], parents)];
      const ulong path_row = parent_rows[exchange_path_parent(sample[i], parents)];
      own[gene] = exchange_sampled(genes[slot_row * population.genes + gene], genes[path_row * population.genes + gene]);
    }
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (item == 0 && count != 0) {
    for (uint i = 0; i < EXCHANGE_MUTATIONS; ++i) {
      const random_block mutation = exchange_mutation(population, k, i);
      own[mutation.a] = exchange_any_gene(mutation.b, mutation.c, population.slots, table[mutation.a].paths);
    }
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  population.genes = count;
  const ulong conflicts = conflicts_of(sg, own, table, paths, population, words, uses, parts);
  if (item == 0 && count != 0) {
    const uint place = replaced[k];
    spare_rows[k] = rows[place];
    rows[place] = row;
    fitness[place] = conflicts;
  }
}
