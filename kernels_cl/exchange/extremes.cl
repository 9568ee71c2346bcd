/* The best and the worst individual of the UMDA on a device; see sample.cl. */
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
kernel void extremes(global const uint* genes, global const ulong* fitness, global const uint* rows,
                     global const uint* found, global exchange_extremes* extremes, global uint* best_genes,
                     exchange_population population, exchange_row row) {
  local ulong least[EXCHANGE_EXTREMES_GROUP_SIZE];
  local ulong greatest[EXCHANGE_EXTREMES_GROUP_SIZE];
  local uint best[EXCHANGE_EXTREMES_GROUP_SIZE];
  local uint worst[EXCHANGE_EXTREMES_GROUP_SIZE];
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
  least[item] = own.least;
  greatest[item] = own.greatest;
  best[item] = own.best;
  worst[item] = own.worst;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint count = items; count > 1u;) {
    const uint kept = (count + 1u) / 2u;
    const uint other = item + kept;
    if (other < count) {
      if (least[other] < least[item] || (least[other] == least[item] && best[other] < best[item])) {
        least[item] = least[other];
        best[item] = best[other];
      }
      if (greatest[other] > greatest[item] || (greatest[other] == greatest[item] && worst[other] < worst[item])) {
        greatest[item] = greatest[other];
        worst[item] = worst[other];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    count = kept;
  }
  const uint best_row = rows[best[0]];
  for (uint word = item; word < row.words; word += items) best_genes[word] = genes[(ulong)best_row * row.words + word];
  if (item != 0) return;
  own.least = least[0];
  own.greatest = greatest[0];
  own.best = best[0];
  own.worst = worst[0];
  own.worst_row = rows[worst[0]];
  own.found = found[0];
  own.generation = population.generation;
  own.reserved = 0;
  extremes[0] = own;
}
