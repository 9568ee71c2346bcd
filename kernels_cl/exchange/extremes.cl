/* The best and the worst individual of the UMDA on a device; see sample.cl. */
#include "exchange/row.cl"

#define EXTREMES_GROUP_SIZE 512

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
  ulong own_least = fitness[0];
  ulong own_greatest = own_least;
  uint own_best = 0;
  uint own_worst = 0;
  for (uint i = item; i < population.individuals; i += items) {
    const ulong own = fitness[i];
    own_best = own < own_least ? i : own_best;
    own_least = min(own, own_least);
    own_worst = own > own_greatest ? i : own_worst;
    own_greatest = max(own, own_greatest);
  }
  least[item] = own_least;
  greatest[item] = own_greatest;
  best[item] = own_best;
  worst[item] = own_worst;
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
  for (uint i = item; i < row.words; i += items) best_genes[i] = genes[(ulong)best_row * row.words + i];
  if (item != 0) return;
  exchange_extremes all;
  all.least = least[0];
  all.greatest = greatest[0];
  all.best = best[0];
  all.worst = worst[0];
  all.worst_row = rows[worst[0]];
  all.found = found[0];
  extremes[0] = all;
}
