/* Many generations in one launch, an island a work-group, with the population in local memory. */
#define GENETIC_SPACE local
#include "genetic/breed.cl"

/* The least and the greatest finite cost, found by every sub-group for itself, so that none waits for another. */
static inline void limits_of(subgroup sg, local const real* costs, uint count, private real* least,
                             private real* greatest) {
  real low = (real)INFINITY;
  real high = -(real)INFINITY;
  /* All lanes go round as often, without branches: some compilers copy what follows a branch, shuffles too, into it. */
  for (uint begin = 0u; begin < count; begin += sg.size) {
    const uint i = begin + sg.lane;
    const real cost = i < count ? costs[min(i, count - 1u)] : (real)INFINITY;
    low = min(low, cost);
    high = max(high, cost < (real)INFINITY ? cost : high);
  }
  for (uint offset = 1u; offset < SUBGROUP_WIDTH; offset <<= 1) {
    low = min(low, SHUFFLE_XOR_REAL(sg, low, offset));
    high = max(high, SHUFFLE_XOR_REAL(sg, high, offset));
  }
  *least = low;
  *greatest = high;
}

/* Breeds `count` generations after `generation`, fewer where the run is to end. even, odd: the populations of even and
 * of odd generations; storage: two populations of local memory, and a bit a gene for each individual of permutations;
 * lanes: of a team, a power of two that divides the sub-groups. */
kernel SUBGROUP_REQUIRE void generations(global element* even, global element* odd, global real* even_costs,
                                         global real* odd_costs, global real* limits, global element* best,
                                         global volatile uint* marks, global const real* numbers,
                                         global const real* tables, global const genetic_settings* settings,
                                         uint generation, uint count, uint lanes, local ulong* storage,
                                         local real* costs, local uint* scratch) {
  const genetic_settings run = genetic_settings_of(settings);
  SUBGROUP_BEGIN(sg, FUSED_GROUP_SIZE);
  /* Given as words of 64 bits, for units of bits must lie at multiples of 8 bytes. */
  local element* const genes = (local element*)storage;
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint island = (uint)get_group_id(0);
  const uint lane = item % lanes;
  const uint teams = items / lanes;
  const uint rounds = (run.pairs + teams - 1u) / teams;
  const uint size = run.population * run.row;
  const ulong begin = (ulong)island * size;
  global real* own_limits = limits + island * GENETIC_LIMITS;
  global volatile uint* own_marks = marks + GENETIC_MARKS + island * GENETIC_MARKS_EACH;
  const uint first_pair = island * run.pairs;
  genetic_wheel w;
  real best_cost = own_limits[GENETIC_BEST];
  uint improved = own_marks[0];
  uint place = own_marks[1];
  uint stopped = marks[GENETIC_STOP] <= generation ? 1u : 0u;
  const uint started_stopped = stopped;
  const uint last = generation + count;
  w.costs = costs;
  w.sections = 0;
  w.has_sections = 0u;
  w.number = island;
  w.least = own_limits[GENETIC_LEAST];
  w.greatest = own_limits[GENETIC_GREATEST];
  {
    global const element* from = (generation & 1u) == 0u ? even : odd;
    global const real* from_costs = (generation & 1u) == 0u ? even_costs : odd_costs;
    for (uint i = item; i < size; i += items) genes[i] = from[begin + i];
    for (uint i = item; i < run.population; i += items) costs[i] = from_costs[island * run.population + i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  local element* population = genes;
  local element* children = genes + size;
  while (stopped == 0u && generation < last) {
    const uint top = genetic_top_weight(w.least, w.greatest, run.whole);
    const uint top_bias = (0u - top) % top;
    ++generation;
    for (uint round = 0u; round < rounds; ++round) {
      const uint k = round * teams + item / lanes;
      const uint active = k < run.pairs ? 1u : 0u;
      const uint pair = first_pair + min(k, run.pairs - 1u);
      fused_draws draws;
      if (lanes >= FUSED_LANES && run.selection == GENETIC_ROULETTE)
        draws = draw_together(sg, w, run, generation, pair, lane, lanes, top, top_bias);
      else
        draws = draw_alone(w, run, generation, pair);
      const genetic_family family = family_at_home(run, pair, draws.parents.first, draws.parents.second);
#if OBJECTIVE_KIND == 0
      if (active != 0u) breed_bits(population, children, run, generation, pair, family, draws, lane, lanes);
#else
      if (active != 0u)
        cross_pair(population, children, numbers, scratch, run, generation, pair, family, draws.points, lane, lanes);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (active != 0u) mutate_pair(children, numbers, run, generation, pair, family, lane, lanes);
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint round = 0u; round < rounds; ++round) {
      const uint k = round * teams + item / lanes;
      const uint active = k < run.pairs ? 1u : 0u;
      const genetic_family family = family_at_home(run, first_pair + min(k, run.pairs - 1u), 0u, 0u);
      cost_pair(sg, children, costs, tables, run, family, active, lane, lanes);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    {
      local element* const swap = population;
      population = children;
      children = swap;
    }
    limits_of(sg, costs, run.population, &w.least, &w.greatest);
    if (w.least < best_cost) {
      /* All work-items see the same costs; the first of equal ones is taken. */
      for (place = 0u; place + 1u < run.population && costs[place] != w.least; ++place) continue;
      best_cost = w.least;
      improved = generation;
      for (uint i = item; i < run.row; i += items) best[(ulong)island * run.row + i] = population[place * run.row + i];
    }
    if ((run.has_target != 0u && w.least <= numbers[GENETIC_TARGET]) ||
        (run.stagnation != 0u && generation - improved >= run.stagnation))
      stopped = 1u;
  }
  {
    global element* to = (generation & 1u) == 0u ? even : odd;
    global real* to_costs = (generation & 1u) == 0u ? even_costs : odd_costs;
    for (uint i = item; i < size; i += items) to[begin + i] = population[i];
    for (uint i = item; i < run.population; i += items) to_costs[island * run.population + i] = costs[i];
  }
  if (item == 0u && started_stopped == 0u) {
    own_limits[GENETIC_LEAST] = w.least;
    own_limits[GENETIC_GREATEST] = w.greatest;
    own_limits[GENETIC_BEST] = best_cost;
    own_marks[0] = improved;
    own_marks[1] = place;
    if (stopped != 0u) marks[GENETIC_STOP] = generation;
  }
}
