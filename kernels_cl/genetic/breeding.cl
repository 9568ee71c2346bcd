/* Crossover and mutation, by teams of GENETIC_TEAM. */
#include "genetic/team.cl"
#include "genetic/pair.cl"

/* The children of each pair, before mutation. scratch: a bit a gene for each child of permutations. */
kernel SUBGROUP_REQUIRE void crossover(global const element* population, global element* children,
                                       global const uint* parents, global const real* numbers, global uint* scratch,
                                       global const uint* marks, global const genetic_settings* settings,
                                       uint generation, uint teams) {
  const genetic_settings run = genetic_settings_of(settings);
  TEAM_BEGIN(t, teams);
  const uint first = t.index;
  const uint pair = min(first, run.pairs * run.islands - 1u);
  genetic_points points;
  points.first = 0u;
  points.last = 0u;
  if (t.lane == 0u) points = genetic_draw_points(run, generation, pair);
  points.first = TEAM_FIRST_UINT(t, points.first);
  points.last = TEAM_FIRST_UINT(t, points.last);
  if (first >= run.pairs * run.islands || marks[GENETIC_STOP] < generation) return;
  {
    const genetic_family family = family_of(run, pair, parents[2u * pair], parents[2u * pair + 1u]);
    cross_pair(population, children, numbers, scratch, run, generation, pair, family, points, t.lane, t.lanes, t.slot);
  }
}

/* Mutates the children where they are. */
kernel SUBGROUP_REQUIRE void mutate(global element* children, global const real* numbers, global const uint* marks,
                                    global const genetic_settings* settings, uint generation, uint teams) {
  const genetic_settings run = genetic_settings_of(settings);
  TEAM_BEGIN(t, teams);
  const uint pair = t.index;
  if (pair >= run.pairs * run.islands || marks[GENETIC_STOP] < generation) return;
  mutate_pair(children, numbers, settings, run, generation, pair, family_of(run, pair, 0u, 0u), t.lane, t.lanes);
}

/* costs[i] of every individual of a generation; elites keep theirs, where `first` generation is not. */
kernel SUBGROUP_REQUIRE void evaluate(global const element* population, global real* costs, global const real* tables,
                                      global const uint* marks, global const genetic_settings* settings,
                                      uint generation, uint teams) {
  const genetic_settings run = genetic_settings_of(settings);
  TEAM_BEGIN(t, teams);
  const uint each = generation == 0u ? run.population : genetic_bred(run);
  const uint count = each * run.islands;
  const uint number = min(t.index, count - 1u);
  const uint i = number / each * run.population + number % each;
  const individual x = individual_in(population, run, i, tables);
  {
    const uint stopped = marks[GENETIC_STOP] < generation || t.index >= count ? 1u : 0u;
#if OBJECTIVE_FORM == 0
    if (stopped == 0u && t.lane == 0u) costs[i] = genetic_cost(objective_of(x), run.maximise);
#else
    const objective_sum part = stopped == 0u ? lane_part(x, t.lane, t.lanes, t.slot) : OBJECTIVE_ABSENT;
    const objective_sum sum = TEAM_SUM(t, part);
    if (stopped == 0u && t.lane == 0u) costs[i] = genetic_cost(objective_value(x, sum), run.maximise);
#endif
  }
}
