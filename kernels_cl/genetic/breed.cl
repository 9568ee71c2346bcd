/* A pair from its parents' choice to its children, by a team of neighbouring lanes of a sub-group: what the fused
 * kernels are made of. GENETIC_SPACE is where genes are, COSTS_SPACE where costs are. */
#ifndef CLOPT_GENETIC_BREED_CL
#define CLOPT_GENETIC_BREED_CL

#define INDIVIDUAL_SPACE GENETIC_SPACE
#ifndef COSTS_SPACE
#define COSTS_SPACE GENETIC_SPACE
#endif
#undef GENETIC_TEAM
#define GENETIC_TEAM 2
#include "genetic/team.cl"
#include "genetic/pair.cl"

/* The largest work-group of the fused kernels. */
#define FUSED_GROUP_SIZE 1024
/* The fewest lanes that draw tries and points in one go. */
#define FUSED_LANES 4u
/* Lanes from which on a block each is enough. */
#define FUSED_ROLES 8u
/* Where a program is made for one run, the lanes of a team are known to the compiler. */
#ifdef GENETIC_FIXED_LANES
#define FUSED_TEAM(lanes) ((uint)GENETIC_FIXED_LANES)
#else
#define FUSED_TEAM(lanes) (lanes)
#endif

/* Told the work-group's size, a compiler shares out the registers accordingly. */
#ifdef GENETIC_FIXED_ITEMS
#define FUSED_REQUIRE SUBGROUP_REQUIRE __attribute__((reqd_work_group_size(GENETIC_FIXED_ITEMS, 1, 1)))
#else
#define FUSED_REQUIRE SUBGROUP_REQUIRE
#endif

#if OBJECTIVE_DOUBLE
#define SHUFFLE_XOR_REAL(sg, value, mask) as_double(subgroup_shuffle_xor_ulong(sg, as_ulong(value), mask))
#else
#define SHUFFLE_XOR_REAL(sg, value, mask) subgroup_shuffle_xor_float(sg, value, mask)
#endif
#if OBJECTIVE_FORM == 1
#define SHUFFLE_XOR_SUM(sg, value, mask) SHUFFLE_XOR_REAL(sg, value, mask)
#else
#define SHUFFLE_XOR_SUM(sg, value, mask) subgroup_shuffle_xor_int(sg, value, mask)
#endif

/* What a pair is bred from. */
typedef struct {
  genetic_parents parents;
  genetic_points points;
} fused_draws;

/* The random numbers that a lane of a team draws for its pair. They do not depend on the population. */
typedef struct {
  random_block tries;
  random_block points; /* of the last lane */
} fused_blocks;

/* Lanes of a team that make tries. Of few lanes all do, and have a second block. */
static inline uint tries_of(uint lanes) { return lanes >= FUSED_ROLES ? lanes - 1u : lanes; }

static inline fused_blocks draw_blocks(genetic_settings run, uint generation, uint pair, uint lane, uint lanes) {
  const uint tries = tries_of(lanes);
  fused_blocks blocks;
  blocks.tries = random_at(run.seed, lane < tries ? GENETIC_SELECTION : GENETIC_POINTS, generation, pair,
                           lane < tries ? lane : 0u);
  blocks.points = lanes >= FUSED_ROLES ? blocks.tries : genetic_points_block(run, generation, pair);
  return blocks;
}

/* genetic_roulette() after the tries of a team. */
static RARELY_CALLED genetic_parents parents_after(COSTS_SPACE const real* costs, global const ulong* sections,
                                                   uint has_sections, real least, real greatest, uint number,
                                                   global const genetic_settings* settings, uint generation, uint pair,
                                                   uint first, uint tries) {
  const genetic_settings run = genetic_settings_of(settings);
  const genetic_wheel w = wheel_of(costs, sections, has_sections, least, greatest, number);
  genetic_parents parents;
  parents.first = first;
  parents.second = GENETIC_NOBODY;
  return genetic_roulette(w, run, generation, pair, parents, tries);
}

/* The first lane, of a team of at most 32, for which something holds. */
static inline uint first_lane(uint bits) { return (uint)popcount((bits & (0u - bits)) - 1u); }

/* All lanes of a team draw at once. The individuals are those that one work-item would accept, one try after the other.
 */
static inline fused_draws draw_together(subgroup sg, genetic_wheel w, global const genetic_settings* settings,
                                        genetic_settings run, uint generation, uint pair, fused_blocks blocks,
                                        uint lane, uint lanes) {
  const uint base = sg.lane - lane;
  const uint tries = tries_of(lanes);
  const uint members = (1u << tries) - 1u;
  const uint top = genetic_top_weight(w.least, w.greatest, run.whole);
  /* Every lane makes tries, and points, of whatever it drew: without branches, see limits_of(). */
  const genetic_points points = genetic_points_of(run, generation, pair, blocks.points);
  const uint one = genetic_index(blocks.tries.a, run.population, run.index_bias);
  const uint other = genetic_index(blocks.tries.c, run.population, run.index_bias);
  const uint one_weight = genetic_weight_on(w, run, min(one, run.population - 1u));
  const uint other_weight = genetic_weight_on(w, run, min(other, run.population - 1u));
  const uint takes_one = (one != GENETIC_NOBODY ? 1u : 0u) & genetic_accepts_fairly(blocks.tries.b, one_weight, top);
  const uint takes_other =
      (other != GENETIC_NOBODY ? 1u : 0u) & genetic_accepts_fairly(blocks.tries.d, other_weight, top);
  const uint mine = takes_one != 0u ? one : takes_other != 0u ? other : GENETIC_NOBODY;
  const uint found = (uint)(subgroup_ballot(sg, mine != GENETIC_NOBODY) >> base) & members;
  const uint first = subgroup_shuffle_uint(sg, mine, found == 0u ? sg.lane : base + first_lane(found));
  const uint next = takes_one != 0u && one != first       ? one
                    : takes_other != 0u && other != first ? other
                                                          : GENETIC_NOBODY;
  const uint found_next = (uint)(subgroup_ballot(sg, next != GENETIC_NOBODY) >> base) & members;
  const uint second = subgroup_shuffle_uint(sg, next, found_next == 0u ? sg.lane : base + first_lane(found_next));
  fused_draws draws;
  draws.parents.first = found == 0u ? GENETIC_NOBODY : first;
  draws.parents.second = found == 0u || found_next == 0u ? GENETIC_NOBODY : second;
  draws.points.first = subgroup_shuffle_uint(sg, points.first, base + lanes - 1u);
  draws.points.last = subgroup_shuffle_uint(sg, points.last, base + lanes - 1u);
  if (draws.parents.second == GENETIC_NOBODY)
    draws.parents = parents_after(w.costs, w.sections, w.has_sections, w.least, w.greatest, w.number, settings,
                                  generation, pair, draws.parents.first, tries);
  return draws;
}

static inline fused_draws draw_alone(genetic_wheel w, global const genetic_settings* settings, genetic_settings run,
                                     uint generation, uint pair) {
  fused_draws draws;
  draws.parents =
      parents_alone(w.costs, w.sections, w.has_sections, w.least, w.greatest, w.number, settings, generation, pair);
  draws.points = genetic_draw_points(run, generation, pair);
  return draws;
}

/* The costs of a pair's children. All lanes of the sub-group call it; those of teams without a pair change nothing. */
static inline void cost_pair(subgroup sg, GENETIC_SPACE const element* children, COSTS_SPACE real* costs,
                             global const real* tables, genetic_settings run, genetic_family family, uint active,
                             uint lane, uint lanes, uint turn) {
#if OBJECTIVE_FORM == 0
  for (uint child = lane; active != 0u && child <= family.has_second; child += lanes) {
    const uint i = child == 0u ? family.first_child : family.second_child;
    costs[i] = genetic_cost(objective_of(individual_in(children, run, i, tables)), run.maximise);
  }
#else
  const individual one = individual_in(children, run, family.first_child, tables);
  const individual other = individual_in(children, run, family.second_child, tables);
  objective_sum sum_of_one = OBJECTIVE_ABSENT;
  objective_sum sum_of_other = OBJECTIVE_ABSENT;
  if (active != 0u) {
    sum_of_one = lane_part(one, lane, lanes, turn);
    if (family.has_second != 0u) sum_of_other = lane_part(other, lane, lanes, turn);
  }
  if (lanes == 1u) {
    if (active == 0u) return;
    costs[family.first_child] = genetic_cost(objective_value(one, sum_of_one), run.maximise);
    if (family.has_second != 0u)
      costs[family.second_child] = genetic_cost(objective_value(other, sum_of_other), run.maximise);
    return;
  }
  {
    /* Even lanes go on with the first child's sum, odd ones with the second's: half of the exchanges. */
    const uint second = lane & 1u;
    objective_sum sum = second != 0u ? sum_of_other : sum_of_one;
    sum += SHUFFLE_XOR_SUM(sg, second != 0u ? sum_of_one : sum_of_other, 1u);
    for (uint offset = 2u; offset < lanes; offset <<= 1) sum += SHUFFLE_XOR_SUM(sg, sum, offset);
    if (active != 0u && lane <= family.has_second)
      costs[second != 0u ? family.second_child : family.first_child] =
          genetic_cost(objective_value(second != 0u ? other : one, sum), run.maximise);
  }
#endif
}

#endif
