/* The fitness of a population, which is maximised: selection by it, and the best of it. */
#include "common/reduce.cl"
#include "shared/ecga/ecga.h"

/* parents[i] = the winner of tournament i, and how many copies of each there are; sets the layers' totals to 0.
 * Tournaments are blocks of a shuffled population; what is left over sits out, and the population is shuffled again when
 * all of it has played. Among equals the first of the block wins. Launched over the individuals. */
kernel void tournament(global const real* fitness, global uint* parents, global uint* copies, global uint* totals,
                       uint individuals, uint tournament_size, ulong seed, uint generation) {
  const uint i = (uint)get_global_id(0);
  if (i < ECGA_MOST_LAYERS) totals[i] = 0u;
  if (i >= individuals) return;
  const uint blocks = individuals / tournament_size;
  const uint round = i / blocks;
  const uint first = (i - round * blocks) * tournament_size;
  ecga_bijection shuffle;
  ecga_set_bijection(&shuffle, seed, ECGA_PURPOSE_TOURNAMENT, generation, round, individuals);
  uint winner = ecga_image(shuffle, first);
  real best = fitness[winner];
  for (uint j = 1; j < tournament_size; ++j) {
    const uint rival = ecga_image(shuffle, first + j);
    const real value = fitness[rival];
    if (value > best) {
      best = value;
      winner = rival;
    }
  }
  parents[i] = winner;
  atomic_inc(copies + winner);
}

/* Makes fitness of the objective's values: with the sign changed where they are minimised, and minus infinity in place of
 * NaN. Launched over the individuals. */
kernel void turn_fitness(global real* fitness, uint individuals, uint minimise) {
  const uint i = (uint)get_global_id(0);
  if (i >= individuals) return;
  const real value = fitness[i];
  fitness[i] = value == value ? (minimise != 0u ? -value : value) : -(real)INFINITY;
}

static inline ulong order_of(real fitness) {
#ifdef CLOPT_FP64
  if (sizeof(real) == 8) return ecga_order_double((double)fitness);
#endif
  return ecga_order_float((float)fitness);
}

#define BEST_GROUP_SIZE 256

/* Of each section of the population, two numbers: the order of its best fitness (see ecga_order_float), and the first
 * individual that has it. Launched with a work-group of at most 256 work-items for each section of `section_size`
 * individuals. */
kernel SUBGROUP_REQUIRE void find_best(global const real* fitness, global ulong* best, uint individuals,
                                       uint section_size) {
  SUBGROUP_BEGIN(sg, BEST_GROUP_SIZE);
  local ulong orders[BEST_GROUP_SIZE + 1];
  local uint firsts[BEST_GROUP_SIZE + 1];
  const uint begin = (uint)get_group_id(0) * section_size;
  const uint end = min(begin + section_size, individuals);
  ulong order = 0;
  uint first = 0xffffffffu;
  for (uint i = begin + (uint)get_local_id(0); i < end; i += (uint)get_local_size(0)) {
    const ulong own = order_of(fitness[i]);
    if (own > order) first = i;
    order = max(order, own);
  }
  const ulong largest = group_reduce_max_ulong(sg, order, orders);
  const uint earliest = group_reduce_min_uint(sg, order == largest ? first : 0xffffffffu, firsts);
  if (get_local_id(0) != 0) return;
  best[2ul * get_group_id(0)] = largest;
  best[2ul * get_group_id(0) + 1u] = earliest;
}
