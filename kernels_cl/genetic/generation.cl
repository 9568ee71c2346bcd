/* One generation in one launch, with the population in global memory: for populations that local memory does not hold.
 */
#define GENETIC_SPACE global
#include "genetic/breed.cl"

/* Breeds and evaluates the children of every pair. costs, limits, sections: of the generation before. lanes: of a team,
 * a power of two that divides the sub-groups. Work-groups have pairs of one island each. */
kernel FUSED_REQUIRE void breed(global const element* population, global element* children, global const real* costs,
                                global real* child_costs, global const real* limits, global const ulong* sections,
                                global const uint* marks, global const real* numbers, global const real* tables,
                                global uint* scratch, global const genetic_settings* settings, uint generation,
                                uint has_sections, uint team_lanes) {
  const genetic_settings run = genetic_settings_of(settings);
  SUBGROUP_BEGIN(sg, FUSED_GROUP_SIZE);
  const uint lanes = FUSED_TEAM(team_lanes);
  const uint item = (uint)get_local_id(0);
  const uint lane = item % lanes;
  const uint turn = item / lanes;
  const uint teams = (uint)get_local_size(0) / lanes;
  const uint groups = (run.pairs + teams - 1u) / teams;
  const uint island = (uint)get_group_id(0) / groups;
  const uint k = (uint)get_group_id(0) % groups * teams + turn;
  const uint active = k < run.pairs && marks[GENETIC_STOP] >= generation ? 1u : 0u;
  const uint pair = island * run.pairs + min(k, run.pairs - 1u);
  const fused_blocks blocks = draw_blocks(run, generation, pair, lane, lanes);
  genetic_wheel w;
  genetic_family family;
  fused_draws draws;
  w.number = island;
  w.costs = costs + island * run.population;
  w.sections = sections + island * ((run.population + GENETIC_SECTION - 1u) / GENETIC_SECTION);
  w.has_sections = has_sections;
  w.least = limits[island * GENETIC_LIMITS + GENETIC_LEAST];
  w.greatest = limits[island * GENETIC_LIMITS + GENETIC_GREATEST];
  if (lanes >= FUSED_LANES && run.selection == GENETIC_ROULETTE)
    draws = draw_together(sg, w, settings, run, generation, pair, blocks, lane, lanes);
  else
    draws = draw_alone(w, run, generation, pair);
  family = family_of(run, pair, draws.parents.first, draws.parents.second);
  if (active != 0u)
    cross_pair(population, children, numbers, scratch, run, generation, pair, family, draws.points, lane, lanes, turn);
  subgroup_fence(sg);
  if (active != 0u) mutate_after(children, numbers, settings, run, generation, pair, family, blocks.other, lane, lanes);
  subgroup_fence(sg);
  cost_pair(sg, children, child_costs, tables, run, family, active, lane, lanes, turn);
}
