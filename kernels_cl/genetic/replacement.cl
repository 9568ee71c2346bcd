/* Replacement: elites and migrants. */
#include "shared/genetic.h"

/* The largest work-group of this file, which bounds local memory. */
#define REPLACEMENT_GROUP_SIZE 256

/* 1 where an individual comes before another one: the lower cost, the lower number among equals; or the reverse. */
static inline uint comes_before(real cost, uint i, real other_cost, uint other, uint reverse) {
  if (cost != other_cost) return (cost < other_cost) != (reverse != 0u) ? 1u : 0u;
  return (i < other) != (reverse != 0u) ? 1u : 0u;
}

/* The first `count` individuals of each island, from the best down, or from the worst up with `reverse`: numbers among
 * all individuals, `count` an island, a work-group each. Each round finds what comes next after the one before. */
kernel void extremes(global const real* costs, global uint* found, genetic_settings run, uint count, uint reverse) {
  local real least[REPLACEMENT_GROUP_SIZE];
  local uint place[REPLACEMENT_GROUP_SIZE];
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint begin = (uint)get_group_id(0) * run.population;
  real last_cost = 0;
  uint last = GENETIC_NOBODY;
  for (uint round = 0u; round < count; ++round) {
    real own_cost = 0;
    uint own = GENETIC_NOBODY;
    for (uint i = item; i < run.population; i += items) {
      const real cost = costs[begin + i];
      if (last != GENETIC_NOBODY && comes_before(last_cost, last, cost, i, reverse) == 0u) continue;
      if (own == GENETIC_NOBODY || comes_before(cost, i, own_cost, own, reverse) != 0u) {
        own_cost = cost;
        own = i;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    least[item] = own_cost;
    place[item] = own;
    for (uint reach = 1u; reach < items; reach <<= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (item % (2u * reach) == 0u && item + reach < items) {
        const uint other = place[item + reach];
        if (other != GENETIC_NOBODY &&
            (place[item] == GENETIC_NOBODY ||
             comes_before(least[item + reach], other, least[item], place[item], reverse) != 0u)) {
          least[item] = least[item + reach];
          place[item] = other;
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    last_cost = least[0];
    last = place[0];
    if (item == 0u) found[(uint)get_group_id(0) * count + round] = begin + last;
  }
}

/* Copies individuals, and their costs, to others' places: number i of `from` to number i of `to`. Launched over their
 * elements. */
kernel void copy_individuals(global const element* from_population, global const real* from_costs,
                             global const uint* from, global element* to_population, global real* to_costs,
                             global const uint* to, genetic_settings run, global const uint* marks, uint generation,
                             uint count) {
  const ulong number = get_global_id(0);
  const ulong i = number / run.row;
  const uint element_number = (uint)(number % run.row);
  if (i >= count || marks[GENETIC_STOP] < generation) return;
  to_population[(ulong)to[i] * run.row + element_number] = from_population[(ulong)from[i] * run.row + element_number];
  if (element_number == 0u) to_costs[to[i]] = from_costs[from[i]];
}
