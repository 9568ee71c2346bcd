/* The parents of a pair, and its crossover points, by a team of neighbouring lanes. */
#ifndef CLOPT_GENETIC_LANE_TEAM_PARENTS_CL
#define CLOPT_GENETIC_LANE_TEAM_PARENTS_CL

#include "genetic/lane_team.cl"

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
  blocks.tries = genetic_of_pair(run, lane < tries ? GENETIC_SELECTION : GENETIC_POINTS, generation, pair,
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
  parents.second = GENETIC_NONE;
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
  const uint takes_one = (one != GENETIC_NONE ? 1u : 0u) & genetic_accepts_fairly(blocks.tries.b, one_weight, top);
  const uint takes_other =
      (other != GENETIC_NONE ? 1u : 0u) & genetic_accepts_fairly(blocks.tries.d, other_weight, top);
  const uint mine = takes_one != 0u ? one : takes_other != 0u ? other : GENETIC_NONE;
  const uint found = (uint)(subgroup_ballot(sg, mine != GENETIC_NONE) >> base) & members;
  const uint first = subgroup_shuffle_uint(sg, mine, found == 0u ? sg.lane : base + first_lane(found));
  const uint next = takes_one != 0u && one != first       ? one
                    : takes_other != 0u && other != first ? other
                                                          : GENETIC_NONE;
  const uint found_next = (uint)(subgroup_ballot(sg, next != GENETIC_NONE) >> base) & members;
  const uint second = subgroup_shuffle_uint(sg, next, found_next == 0u ? sg.lane : base + first_lane(found_next));
  fused_draws draws;
  draws.parents.first = found == 0u ? GENETIC_NONE : first;
  draws.parents.second = found == 0u || found_next == 0u ? GENETIC_NONE : second;
  draws.points.first = subgroup_shuffle_uint(sg, points.first, base + lanes - 1u);
  draws.points.last = subgroup_shuffle_uint(sg, points.last, base + lanes - 1u);
  if (draws.parents.second == GENETIC_NONE)
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

#endif
