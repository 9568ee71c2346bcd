/* Many generations in one launch, an island a work-group, with the population in local memory. */
#define GENETIC_SPACE local
#include "genetic/breed.cl"

/* The least and the greatest finite cost, and who has the least, found by every sub-group for itself, so that none
 * waits for another. */
static inline void limits_of(subgroup sg, local const real* costs, uint count, private real* least,
                             private real* greatest, private uint* place) {
  real low = (real)INFINITY;
  real high = -(real)INFINITY;
  uint who = 0u;
  /* All lanes go round as often, without branches: some compilers copy what follows a branch, shuffles too, into it. */
  for (uint begin = 0u; begin < count; begin += SUBGROUP_WIDTH) {
    const uint i = begin + sg.lane;
    const real cost = i < count ? costs[min(i, count - 1u)] : (real)INFINITY;
    who = cost < low ? i : who;
    low = min(low, cost);
    high = max(high, cost < (real)INFINITY ? cost : high);
  }
  /* The first of equal ones. */
  for (uint offset = 1u; offset < SUBGROUP_WIDTH; offset <<= 1) {
    const real other_low = SHUFFLE_XOR_REAL(sg, low, offset);
    const uint other_who = subgroup_shuffle_xor_uint(sg, who, offset);
    high = max(high, SHUFFLE_XOR_REAL(sg, high, offset));
    who = other_low < low || (other_low == low && other_who < who) ? other_who : who;
    low = min(low, other_low);
  }
  *least = low;
  *greatest = high;
  *place = who;
}

/* Breeds `count` generations after `generation`, fewer where the run is to end. even, odd: the populations of even and
 * of odd generations; storage: two populations of local memory, and a bit a gene for each individual of permutations;
 * all_costs: of both; team_lanes: of a team, a power of two that divides the sub-groups. */
kernel FUSED_REQUIRE void generations(global element* even, global element* odd, global real* even_costs,
                                      global real* odd_costs, global real* limits, global element* best,
                                      global volatile uint* marks, global const real* numbers,
                                      global const real* tables, global const genetic_settings* settings,
                                      uint generation, uint count, uint team_lanes, local ulong* storage,
                                      local real* all_costs, local uint* scratch) {
  const genetic_settings run = genetic_settings_of(settings);
  SUBGROUP_BEGIN(sg, FUSED_GROUP_SIZE);
  /* Given as words of 64 bits, for units of bits must lie at multiples of 8 bytes. */
  local element* population = (local element*)storage;
  local real* costs = all_costs;
  const uint lanes = FUSED_TEAM(team_lanes);
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint island = (uint)get_group_id(0);
  const uint lane = item % lanes;
  const uint slot = item / lanes;
  const uint teams = items / lanes;
  const uint rounds = (run.pairs + teams - 1u) / teams;
  const uint size = run.population * run.row;
  const ulong begin = (ulong)island * size;
  local element* children = population + size;
  local real* child_costs = costs + run.population;
  global real* own_limits = limits + island * GENETIC_LIMITS;
  global volatile uint* own_marks = marks + GENETIC_MARKS + island * GENETIC_MARKS_EACH;
  const uint first_pair = island * run.pairs;
  const real target = run.has_target != 0u ? numbers[GENETIC_TARGET] : -(real)INFINITY;
  const uint last = generation + count;
  const uint begun = generation;
  const uint started_stopped = marks[GENETIC_STOP] <= generation ? 1u : 0u;
  uint stopped = started_stopped;
  real best_cost = own_limits[GENETIC_BEST];
  uint improved = own_marks[0];
  uint place = 0u;
  genetic_wheel w;
  w.sections = 0;
  w.has_sections = 0u;
  w.number = island;
  {
    global const element* from = (generation & 1u) == 0u ? even : odd;
    global const real* from_costs = (generation & 1u) == 0u ? even_costs : odd_costs;
    for (uint i = item; i < size; i += items) population[i] = from[begin + i];
    for (uint i = item; i < run.population; i += items) costs[i] = from_costs[island * run.population + i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (;;) {
    /* What does not wait for the costs comes first. */
    fused_blocks blocks = draw_blocks(run, generation + 1u, first_pair + min(slot, run.pairs - 1u), lane, lanes);
    limits_of(sg, costs, run.population, &w.least, &w.greatest, &place);
    if (w.least < best_cost && generation != begun) {
      best_cost = w.least;
      improved = generation;
      for (uint i = item; i < run.row; i += items) best[(ulong)island * run.row + i] = population[place * run.row + i];
    }
    if (generation != begun && (w.least <= target || (run.stagnation != 0u && generation - improved >= run.stagnation)))
      stopped = 1u;
    if (stopped != 0u || generation == last) break;
    w.costs = costs;
    ++generation;
    for (uint round = 0u; round < rounds; ++round) {
      const uint k = round * teams + slot;
      const uint active = k < run.pairs ? 1u : 0u;
      const uint pair = first_pair + min(k, run.pairs - 1u);
      fused_draws draws;
      genetic_family family;
      if (round != 0u) blocks = draw_blocks(run, generation, pair, lane, lanes);
      if (lanes >= FUSED_LANES && run.selection == GENETIC_ROULETTE)
        draws = draw_together(sg, w, settings, run, generation, pair, blocks, lane, lanes);
      else
        draws = draw_alone(w, run, generation, pair);
      family = family_at_home(run, pair, draws.parents.first, draws.parents.second);
      if (active != 0u)
        cross_pair(population, children, numbers, scratch, run, generation, pair, family, draws.points, lane, lanes,
                   slot);
      subgroup_fence(sg);
      if (active != 0u) mutate_after(children, numbers, settings, run, generation, pair, family, blocks.other, lane, lanes);
      subgroup_fence(sg);
      cost_pair(sg, children, child_costs, tables, run, family, active, lane, lanes, slot);
    }
    {
      local element* const other = population;
      local real* const other_costs = costs;
      population = children;
      children = other;
      costs = child_costs;
      child_costs = other_costs;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
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
