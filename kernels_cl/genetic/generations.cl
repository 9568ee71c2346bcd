/* Many generations in one launch, an island a work-group, with the population in local memory. */
#define GENETIC_SPACE local
#include "genetic/lane_team_costs.cl"
#include "genetic/lane_team_parents.cl"

#if OBJECTIVE_DOUBLE
#define REDUCE_LEAST(sg, value) least_of_doubles(sg, value)
#define REDUCE_GREATEST(sg, value) (-least_of_doubles(sg, -(value)))
static inline double least_of_doubles(subgroup sg, double value) {
  for (uint offset = 1u; offset < SUBGROUP_WIDTH; offset <<= 1) value = min(value, SHUFFLE_XOR_REAL(sg, value, offset));
  return value;
}
#else
/* A number's place in the order of all, which a device may reduce in one instruction. */
static inline uint key_of(float value) {
  const uint bits = as_uint(value);
  return bits ^ ((0u - (bits >> 31)) | 0x80000000u);
}
static inline float value_of_key(uint key) { return as_float(key ^ (((key >> 31) - 1u) | 0x80000000u)); }
#define REDUCE_LEAST(sg, value) value_of_key(subgroup_reduce_min_uint(sg, key_of(value)))
#define REDUCE_GREATEST(sg, value) value_of_key(subgroup_reduce_max_uint(sg, key_of(value)))
#endif

/* The least and, if asked for, the greatest finite cost, found by every sub-group for itself, so that none waits for
 * another. */
static inline void limits_of(subgroup sg, local const real* costs, uint count, uint asks_greatest, private real* least,
                             private real* greatest) {
  real low = (real)INFINITY;
  real high = -(real)INFINITY;
  /* All lanes go round as often, without branches: some compilers copy what follows a branch, shuffles too, into it. */
  for (uint begin = 0u; begin < count; begin += SUBGROUP_WIDTH) {
    const uint i = begin + sg.lane;
    const real cost = i < count ? costs[min(i, count - 1u)] : (real)INFINITY;
    low = min(low, cost);
    if (asks_greatest != 0u) high = max(high, cost < (real)INFINITY ? cost : high);
  }
  *least = REDUCE_LEAST(sg, low);
  if (asks_greatest != 0u) *greatest = REDUCE_GREATEST(sg, high);
}

/* The first individual of a cost. */
static inline uint first_of_cost(subgroup sg, local const real* costs, uint count, real wanted) {
  uint found = GENETIC_NONE;
  for (uint begin = 0u; begin < count; begin += SUBGROUP_WIDTH) {
    const uint i = min(begin + sg.lane, count - 1u);
    found = costs[i] == wanted ? min(found, i) : found;
  }
  return subgroup_reduce_min_uint(sg, found);
}

#if OBJECTIVE_KIND == 0
#include "genetic/drawn_ahead.cl"
#else

/* Crossover and mutation of a pair, from the choice of its parents. blocks: what its lanes drew. */
ALWAYS_INLINED genetic_family breed_pair(subgroup sg, genetic_wheel w, fused_blocks blocks,
                                         local const element* population, local element* children,
                                         global const real* numbers, local uint* scratch,
                                         global const genetic_settings* settings, genetic_settings run, uint generation,
                                         uint pair, uint active, uint lane, uint lanes, uint turn) {
  fused_draws draws;
  genetic_family family;
  if (lanes >= FUSED_LANES && run.selection == GENETIC_ROULETTE)
    draws = draw_together(sg, w, settings, run, generation, pair, blocks, lane, lanes);
  else
    draws = draw_alone(w, settings, run, generation, pair);
  family = family_in_island(run, pair, draws.parents.first, draws.parents.second);
  if (active != 0u)
    cross_pair(population, children, numbers, scratch, run, generation, pair, family, draws.points, lane, lanes, turn);
  subgroup_fence(sg);
  if (active != 0u) mutate_pair(children, numbers, settings, run, generation, pair, family, lane, lanes);
  return family;
}

#endif

/* Copies an island from global to local memory. begin: of its individuals among all. */
static inline void load_island(global const element* from, global const real* from_costs, local element* population,
                               local real* costs, genetic_settings run, uint begin, uint item, uint items) {
  for (uint i = item; i < run.population * run.row; i += items) population[i] = from[(ulong)begin * run.row + i];
  for (uint i = item; i < run.population; i += items) costs[i] = from_costs[begin + i];
}

static inline void store_island(local const element* population, local const real* costs, global element* to,
                                global real* to_costs, genetic_settings run, uint begin, uint item, uint items) {
  for (uint i = item; i < run.population * run.row; i += items) to[(ulong)begin * run.row + i] = population[i];
  for (uint i = item; i < run.population; i += items) to_costs[begin + i] = costs[i];
}

/* Leaves what is known of an island's last generation for the next launch. */
static inline void store_limits(global real* limits, real least, real greatest, real best) {
  limits[GENETIC_LEAST] = least;
  limits[GENETIC_GREATEST] = greatest;
  limits[GENETIC_BEST] = best;
}

/* Whether the run is to end with a generation. */
static inline uint ends_run(genetic_settings run, real least, real target, uint generation, uint improved) {
  return least <= target || (run.stagnation != 0u && generation - improved >= run.stagnation) ? 1u : 0u;
}

/* Breeds `count` generations after `generation`, fewer where the run is to end, with the population in local memory.
 * even, odd: the populations of even and of odd generations; tries, masks: what draw_ahead() drew for them, of bits;
 * team_lanes: of a team, a power of two that divides the sub-groups. Local memory: both populations of an island, as
 * words of 64 bits, since units of bits must lie at multiples of 8 bytes; the costs of both; scratch: a bit a gene for
 * each individual of permutations. With GENETIC_KEEPS_COSTS the costs after each generation, of all islands,
 * go to `history`, behind those of `kept` generations. Launched with a work-group for each island. */
kernel FUSED_REQUIRE void generations(global element* even, global element* odd, global real* even_costs,
                                      global real* odd_costs, global real* limits, global element* best,
                                      global volatile uint* marks, global const real* numbers,
                                      global const real* tables, global const uint* tries, global const ulong* masks,
                                      global const genetic_settings* settings, uint generation, uint count,
                                      uint team_lanes, global real* history, uint kept, local ulong* local_populations,
                                      local real* local_costs, local uint* scratch) {
  const genetic_settings run = genetic_settings_of(settings);
  SUBGROUP_BEGIN(sg, FUSED_GROUP_SIZE);
  local element* population = (local element*)local_populations;
  local real* costs = local_costs;
  const uint lanes = FUSED_TEAM(team_lanes);
  const uint item = (uint)get_local_id(0);
#ifdef GENETIC_FIXED_ITEMS
  const uint items = (uint)GENETIC_FIXED_ITEMS;
#else
  const uint items = (uint)get_local_size(0);
#endif
  const uint island = (uint)get_group_id(0);
  const uint lane = item % lanes;
  const uint slot = item / lanes;
  const uint teams = items / lanes;
  const uint rounds = (run.pairs + teams - 1u) / teams;
  local element* children = population + run.population * run.row;
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
  /* The best of a contest needs no weights. */
  const uint weighs = genetic_contestants(run) == 0u ? 1u : 0u;
  genetic_wheel w;
  w.greatest = -(real)INFINITY;
  w.sections = 0;
  w.has_sections = 0u;
  w.number = island;
  load_island((generation & 1u) == 0u ? even : odd, (generation & 1u) == 0u ? even_costs : odd_costs, population, costs,
              run, island * run.population, item, items);
#if OBJECTIVE_KIND == 0
  lane_draws draws = lane_draws_of(tries, masks, run, 0u, first_pair + min(slot, run.pairs - 1u), lane, lanes, slot);
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  for (;;) {
#if OBJECTIVE_KIND != 0
    /* What does not wait for the costs comes first. */
    fused_blocks blocks = draw_blocks(run, generation + 1u, first_pair + min(slot, run.pairs - 1u), lane, lanes);
#endif
    limits_of(sg, costs, run.population, weighs, &w.least, &w.greatest);
    if (w.least < best_cost && generation != begun) {
      const uint place = first_of_cost(sg, costs, run.population, w.least);
      best_cost = costs[place];
      improved = generation;
      for (uint i = item; i < run.row; i += items) best[(ulong)island * run.row + i] = population[place * run.row + i];
      if (item == 0u) own_marks[1] = place;
    }
    if (generation != begun && ends_run(run, w.least, target, generation, improved) != 0u) stopped = 1u;
    if (stopped != 0u || generation == last) break;
    w.costs = costs;
    ++generation;
    for (uint round = 0u; round < rounds; ++round) {
      const uint k = round * teams + slot;
      const uint active = run.pairs % teams == 0u || k < run.pairs ? 1u : 0u;
      const uint pair = first_pair + min(k, run.pairs - 1u);
#if OBJECTIVE_KIND == 0
      const genetic_parents parents = parents_of_draws(sg, w, settings, run, generation, pair, draws, lane, lanes);
      const genetic_family family = family_in_island(run, pair, parents.first, parents.second);
      if (active != 0u) cross_and_mutate_drawn(population, children, run, family, draws, lane, lanes, slot);
      /* What comes next is on its way while this pair's costs are found. */
      if (round + 1u < rounds)
        draws = lane_draws_of(tries, masks, run, generation - begun - 1u, first_pair + min(k + teams, run.pairs - 1u),
                              lane, lanes, slot);
      else
        draws = lane_draws_of(tries, masks, run, min(generation, last - 1u) - begun,
                              first_pair + min(slot, run.pairs - 1u), lane, lanes, slot);
#else
      if (round != 0u) blocks = draw_blocks(run, generation, pair, lane, lanes);
      const genetic_family family = breed_pair(sg, w, blocks, population, children, numbers, scratch, settings, run,
                                               generation, pair, active, lane, lanes, slot);
#endif
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
#if GENETIC_KEEPS_COSTS
    for (uint i = item; i < run.population; i += items)
      history[((ulong)(kept + generation - begun - 1u) * run.islands + island) * run.population + i] = costs[i];
#endif
  }
  if (weighs == 0u) limits_of(sg, costs, run.population, 1u, &w.least, &w.greatest);
  store_island(population, costs, (generation & 1u) == 0u ? even : odd,
               (generation & 1u) == 0u ? even_costs : odd_costs, run, island * run.population, item, items);
  if (item == 0u && started_stopped == 0u) {
    store_limits(own_limits, w.least, w.greatest, best_cost);
    own_marks[0] = improved;
    if (stopped != 0u) marks[GENETIC_STOP] = generation;
  }
}
