/* The best and the worst individual of the UMDA on a device; see sample.cl. */
#include "exchange/row.cl"

#define EXTREMES_GROUP_SIZE 256
/* Individuals whose conflicts a work-item loads at once: the launch waits for little but memory. */
#define LOADED_AT_ONCE 8u

static inline void take_in(exchange_extremes* all, ulong conflicts, uint individual) {
  all->best = conflicts < all->least ? individual : all->best;
  all->least = min(conflicts, all->least);
  all->worst = conflicts > all->greatest ? individual : all->worst;
  all->greatest = max(conflicts, all->greatest);
}

/* Finds the first individual of the fewest conflicts and the first one of the most, and copies the genes of the former,
 * as its row has them. Launched with one work-group, of EXTREMES_GROUP_SIZE work-items at most. genes, rows, found, row:
 * as for sample; extremes: one. */
kernel void extremes(global const uint* genes, global const ulong* fitness, global const uint* rows,
                     global const uint* found, global exchange_extremes* extremes, global uint* best_genes,
                     exchange_population population, exchange_row row) {
  local ulong least[EXTREMES_GROUP_SIZE];
  local ulong greatest[EXTREMES_GROUP_SIZE];
  local uint best[EXTREMES_GROUP_SIZE];
  local uint worst[EXTREMES_GROUP_SIZE];
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
    for (uint k = 0; k < LOADED_AT_ONCE; ++k) take_in(&own, conflicts[k], i + k * items);
  }
  for (; i < population.individuals; i += items) take_in(&own, fitness[i], i);
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
  for (uint word = item; word < row.words; word += items)
    best_genes[word] = genes[(ulong)best_row * row.words + word];
  if (item != 0) return;
  own.least = least[0];
  own.greatest = greatest[0];
  own.best = best[0];
  own.worst = worst[0];
  own.worst_row = rows[worst[0]];
  own.found = found[0];
  extremes[0] = own;
}
