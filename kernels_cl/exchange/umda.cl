/* The whole UMDA on a device (section 4 of the paper), three launches a generation; see shared/exchange_umda.h.
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

/* Selects the parents' rows and the places of the individuals that are replaced. found becomes the number of
 * generations made, plus 1, as soon as an individual has no conflicts: then nothing changes any more. Launched over the
 * individuals, of which half are parents. */
kernel void select_parents(global const ulong* fitness, global const uint* rows, global uint* parent_rows,
                           global uint* replaced, global uint* found, exchange_population population) {
  const uint k = (uint)get_global_id(0);
  if (k >= population.individuals) return;
  if (fitness[k] == 0) atomic_cmpxchg(found, 0u, population.generation);
  if (k >= population.individuals / 2u) return;
  const exchange_duel duel = exchange_tournament(population, k);
  const exchange_duel pair = exchange_pair(population, exchange_pairing(population), k);
  parent_rows[k] = rows[fitness[duel.b] < fitness[duel.a] ? duel.b : duel.a];
  replaced[k] = fitness[pair.b] < fitness[pair.a] ? pair.a : pair.b;
}

/* Samples a block of genes of a chunk of new individuals into their rows. Launched with a work-group for each block,
 * and in the second dimension for each chunk; window: 2^window_bits * EXCHANGE_BLOCK words. */
kernel void sample(global uint* genes, global const uint* spare_rows, global const uint* parent_rows,
                   global const uint* found, exchange_population population, local uint* window) {
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint block = (uint)get_group_id(0);
  const uint chunk = (uint)get_group_id(1);
  const uint parents = population.individuals / 2u;
  const uint window_bits = exchange_window_bits(parents);
  const uint first_gene = block * EXCHANGE_BLOCK;
  const uint start = exchange_window_start(population, chunk, block, parents);
  for (uint i = item; i < EXCHANGE_BLOCK << window_bits; i += items) {
    const uint gene = first_gene + i % EXCHANGE_BLOCK;
    uint parent = start + i / EXCHANGE_BLOCK;
    if (parent >= parents) parent -= parents;
    if (gene < population.genes) window[i] = genes[(ulong)parent_rows[parent] * population.genes + gene];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (found[0] != 0) return;
  for (uint i = item; i < EXCHANGE_CHUNK / EXCHANGE_SAMPLES * EXCHANGE_BLOCK; i += items) {
    const uint lane = i % EXCHANGE_BLOCK;
    const uint gene = first_gene + lane;
    const uint k = chunk * (EXCHANGE_CHUNK / EXCHANGE_SAMPLES) + i / EXCHANGE_BLOCK;
    if (gene >= population.genes || k * EXCHANGE_SAMPLES >= parents) continue;
    const random_block words = exchange_sample_words(population, k, gene);
    for (uint j = 0; j < EXCHANGE_SAMPLES; ++j) {
      const uint individual = k * EXCHANGE_SAMPLES + j;
      if (individual >= parents) break;
      const uint draw = exchange_sample_of(words, j);
      genes[(ulong)spare_rows[individual] * population.genes + gene] =
          exchange_sampled(window[exchange_slot_parent(draw, window_bits) * EXCHANGE_BLOCK + lane],
                           window[exchange_path_parent(draw, window_bits) * EXCHANGE_BLOCK + lane]);
    }
  }
}

/* Mutates and evaluates new individuals, a work-group each, and puts them into their places; `words` words of local
 * memory: see histogram.cl. Nothing happens where found is not 0. */
kernel SUBGROUP_REQUIRE void replace(global uint* genes, global const exchange_footprint* footprints,
                                     global const ulong* elements, global const exchange_gene* table,
                                     global const ushort* paths, global ulong* fitness, global uint* rows,
                                     global uint* spare_rows, global const uint* replaced, global const uint* found,
                                     exchange_population population, uint places_an_element, uint row_words,
                                     uint words, local uint* uses) {
  local ulong parts[FITNESS_PARTS];
  const uint item = (uint)get_local_id(0);
  const uint k = (uint)get_group_id(0);
  const uint row = spare_rows[k];
  global uint* own = genes + (ulong)row * population.genes;
  /* Without a loop that only some work-groups enter, where there is a barrier: no genes, then. */
  const uint is_made = found[0] == 0 ? 1u : 0u;
  if (is_made == 0) population.genes = population.hops = 0;
  if (item == 0 && is_made != 0) {
    for (uint i = 0; i < EXCHANGE_MUTATIONS; ++i) {
      const random_block mutation = exchange_mutation(population, k, i);
      own[mutation.a] = exchange_any_gene(mutation.b, mutation.c, population.slots, table[mutation.a].paths);
    }
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (row_words != 0)
    count_by_footprints(own, footprints, elements, population, places_an_element, row_words, uses,
                        (local uint*)parts);
  SUBGROUP_BEGIN(sg, FITNESS_GROUP_SIZE);
  const ulong conflicts = conflicts_of(sg, own, table, paths, population, row_words, words, uses, parts);
  if (item == 0 && is_made != 0) {
    const uint place = replaced[k];
    spare_rows[k] = rows[place];
    rows[place] = row;
    fitness[place] = conflicts;
  }
}
