/* A generation's children in one launch, from the choice of their parents to their costs, by teams of GENETIC_TEAM. */
#include "genetic/team.cl"
#include "genetic/pair_crossover.cl"
#include "genetic/pair_mutation.cl"
#include "genetic/island_summary.cl"

/* Teams of a work-group, at most. */
#define OFFSPRING_TEAMS 32

static inline genetic_parents choose_parents(global const real* costs, global const real* limits,
                                             global const ulong* sections, global const genetic_settings* settings,
                                             genetic_settings run, uint generation, uint pair, uint has_sections) {
  const uint island = pair / run.pairs;
  return parents_alone(costs + island * run.population,
                       sections + island * GENETIC_SECTIONS(run), has_sections,
                       limits[island * GENETIC_LIMITS + GENETIC_LEAST],
                       limits[island * GENETIC_LIMITS + GENETIC_GREATEST], island, settings, generation, pair);
}

/* Breeds and evaluates the children of every pair, by teams that select. costs, limits, sections: of the generation
 * before; has_sections: whether they were weighed; summarises: whether the last work-group is to do what summarise()
 * does; scratch: as of crossover(); teams: of a work-group. Launched over the pairs of all islands. */
kernel SUBGROUP_REQUIRE void offspring(global const element* population, global element* children,
                                       global const real* costs, global real* child_costs, global real* limits,
                                       global const ulong* sections, global element* best, global volatile uint* marks,
                                       global const real* numbers, global const real* tables, global uint* scratch,
                                       global const genetic_settings* settings, uint generation, uint has_sections,
                                       uint summarises, uint teams) {
  const genetic_settings run = genetic_settings_of(settings);
  TEAM_BEGIN(t, teams);
  local real least[LIMITS_ITEMS];
  local real greatest[LIMITS_ITEMS];
  local uint place[LIMITS_ITEMS];
  local uint last;
  const uint pairs = run.pairs * run.islands;
  const uint active = t.index < pairs && marks[GENETIC_STOP] >= generation ? 1u : 0u;
  const uint pair = min(t.index, pairs - 1u);
  genetic_parents parents;
  genetic_points points;
  genetic_family family;
  parents.first = 0u;
  parents.second = 0u;
  points.first = 0u;
  points.last = 0u;
#if GENETIC_GATHERS
  /* Neighbouring work-items choose for all pairs of the work-group at once. */
  local uint chosen[2 * OFFSPRING_TEAMS];
  const uint item = (uint)get_local_id(0);
  if (item < teams) {
    parents = choose_parents(costs, limits, sections, settings, run, generation,
                             min((uint)get_group_id(0) * teams + item, pairs - 1u), has_sections);
    chosen[2u * item] = parents.first;
    chosen[2u * item + 1u] = parents.second;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  parents.first = chosen[2u * t.slot];
  parents.second = chosen[2u * t.slot + 1u];
#else
  if (t.lane == 0u) parents = choose_parents(costs, limits, sections, settings, run, generation, pair, has_sections);
  parents.first = TEAM_FIRST_UINT(t, parents.first);
  parents.second = TEAM_FIRST_UINT(t, parents.second);
#endif
  if (t.lane == 0u) points = genetic_draw_points(run, generation, pair);
  points.first = TEAM_FIRST_UINT(t, points.first);
  points.last = TEAM_FIRST_UINT(t, points.last);
  family = family_of(run, pair, parents.first, parents.second);
  if (active != 0u)
    cross_pair(population, children, numbers, scratch, run, generation, pair, family, points, t.lane, t.lanes, t.slot);
  TEAM_FENCE(t);
  if (active != 0u) mutate_pair(children, numbers, settings, run, generation, pair, family, t.lane, t.lanes);
  TEAM_FENCE(t);
#if OBJECTIVE_FORM == 0
  for (uint child = t.lane; active != 0u && child <= family.has_second; child += t.lanes) {
    const uint i = child == 0u ? family.first_child : family.second_child;
    child_costs[i] = genetic_cost(objective_of(individual_in(children, run, i, tables)), run.maximise);
  }
#else
  for (uint child = 0u; child < 2u; ++child) {
    const uint exists = active != 0u && child <= family.has_second ? 1u : 0u;
    const uint i = child == 0u || family.has_second == 0u ? family.first_child : family.second_child;
    const individual x = individual_in(children, run, i, tables);
    const objective_sum part = exists != 0u ? lane_part(x, t.lane, t.lanes, t.slot) : OBJECTIVE_ABSENT;
    const objective_sum sum = TEAM_SUM(t, part);
    if (exists != 0u && t.lane == 0u) child_costs[i] = genetic_cost(objective_value(x, sum), run.maximise);
  }
#endif
  {
    const uint islands = islands_of_last_group(marks, run, summarises, &last);
    for (uint island = 0u; island < islands; ++island)
      summarise_island(children, child_costs, limits, best, marks, numbers, 0, 0, run, generation, island, 0u, least,
                       greatest, place);
  }
}
