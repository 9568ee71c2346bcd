/* Crossover as a launch of its own. A run launches it only where the stages are apart, as the staged launcher has
 * them. pair_crossover.cl names the kernels that cross in other runs. */
#include "genetic/team.cl"
#include "genetic/pair_crossover.cl"

/* Makes the children of each pair, before mutation. parents: of each pair; scratch: a bit a gene for each child of
 * permutations; teams: of a work-group. */
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
