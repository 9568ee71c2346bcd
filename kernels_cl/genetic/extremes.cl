/* The best or the worst individuals of each island. */
#include "shared/genetic/genetic.h"

/* The largest work-group of this kernel, which bounds local memory. */
#define EXTREMES_GROUP_SIZE 256

/* 1 where an individual comes before another one: the lower cost, the lower number among equals; or the reverse. */
static inline uint comes_before(real cost, uint i, real other_cost, uint other, uint reverse) {
  if (cost != other_cost) return (cost < other_cost) != (reverse != 0u) ? 1u : 0u;
  return (reverse != 0u ? i > other : i < other) ? 1u : 0u;
}

/* Finds the best `count` individuals of each island, or with `reverse` the worst: their numbers among all individuals,
 * `count` an island, to places. An island's numbers stand `shift` islands further on, around the ring. Each round finds
 * what comes next after the one before. Launched with a work-group for each island. */
kernel void extremes(global const real* costs, global uint* places, global const genetic_settings* settings, uint count,
                     uint reverse, uint shift) {
  const genetic_settings run = genetic_settings_of(settings);
  local real least[EXTREMES_GROUP_SIZE];
  local uint place[EXTREMES_GROUP_SIZE];
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint island = ((uint)get_group_id(0) + shift) % run.islands;
  const uint begin = (uint)get_group_id(0) * run.population;
  real last_cost = 0;
  uint last = GENETIC_NONE;
  for (uint round = 0u; round < count; ++round) {
    real own_cost = 0;
    uint own = GENETIC_NONE;
    for (uint i = item; i < run.population; i += items) {
      const real cost = costs[begin + i];
      if (last != GENETIC_NONE && comes_before(last_cost, last, cost, i, reverse) == 0u) continue;
      if (own == GENETIC_NONE || comes_before(cost, i, own_cost, own, reverse) != 0u) {
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
        if (other != GENETIC_NONE &&
            (place[item] == GENETIC_NONE ||
             comes_before(least[item + reach], other, least[item], place[item], reverse) != 0u)) {
          least[item] = least[item + reach];
          place[item] = other;
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    last_cost = least[0];
    last = place[0];
    if (item == 0u) places[island * count + round] = begin + last;
  }
}
