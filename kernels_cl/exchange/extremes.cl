/* The best and the worst individual of the UMDA on a device; see sample.cl. */
#include "common/reduce.cl"
#include "shared/exchange/umda.h"

/* Individuals whose conflicts a work-item loads at once: the launch waits for little but memory. */
#define LOADED_AT_ONCE 8u

static inline void update_extremes(exchange_extremes* all, ulong conflicts, uint individual) {
  all->best = conflicts < all->least ? individual : all->best;
  all->least = min(conflicts, all->least);
  all->worst = conflicts > all->greatest ? individual : all->worst;
  all->greatest = max(conflicts, all->greatest);
}

/* Finds the first individual of the fewest conflicts and the first one of the most, and copies the genes of the former,
 * as its row has them. genes, rows, found, row: as for sample; extremes: one; population: with the generation that is
 * asked about. Launched with one work-group, of EXCHANGE_EXTREMES_GROUP_SIZE work-items at most. */
kernel SUBGROUP_REQUIRE void extremes(global const uint* genes, global const ulong* fitness, global const uint* rows,
                                      global const uint* found, global exchange_extremes* extremes,
                                      global uint* best_genes, exchange_population population, exchange_row row) {
  SUBGROUP_BEGIN(sg, EXCHANGE_EXTREMES_GROUP_SIZE);
  local ulong parts[EXCHANGE_EXTREMES_GROUP_SIZE + 1];
  local uint numbers[EXCHANGE_EXTREMES_GROUP_SIZE + 1];
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  exchange_extremes own;
  own.least = own.greatest = fitness[0];
  own.best = own.worst = 0;
  uint i = item;
  for (; i + (LOADED_AT_ONCE - 1u) * items < population.individuals; i += LOADED_AT_ONCE * items) {
    ulong conflicts[LOADED_AT_ONCE];
#pragma unroll
    for (uint k = 0; k < LOADED_AT_ONCE; ++k) conflicts[k] = fitness[i + k * items];
#pragma unroll
    for (uint k = 0; k < LOADED_AT_ONCE; ++k) update_extremes(&own, conflicts[k], i + k * items);
  }
  for (; i < population.individuals; i += items) update_extremes(&own, fitness[i], i);
  const ulong least = group_reduce_min_ulong(sg, own.least, parts);
  const ulong greatest = group_reduce_max_ulong(sg, own.greatest, parts);
  own.best = group_reduce_min_uint(sg, own.least == least ? own.best : population.individuals, numbers);
  own.worst = group_reduce_min_uint(sg, own.greatest == greatest ? own.worst : population.individuals, numbers);
  const uint best_row = rows[own.best];
  for (uint word = item; word < row.words; word += items) best_genes[word] = genes[(ulong)best_row * row.words + word];
  if (item != 0) return;
  own.least = least;
  own.greatest = greatest;
  own.worst_row = rows[own.worst];
  own.found = found[0];
  own.generation = population.generation;
  own.reserved = 0;
  extremes[0] = own;
}
