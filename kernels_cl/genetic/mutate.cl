/* Mutation as a launch of its own, where the stages are apart. */
#include "genetic/team.cl"
#include "genetic/pair_mutation.cl"

/* Mutates the children where they are. teams: of a work-group. */
kernel SUBGROUP_REQUIRE void mutate(global element* children, global const real* numbers, global const uint* marks,
                                    global const genetic_settings* settings, uint generation, uint teams) {
  const genetic_settings run = genetic_settings_of(settings);
  TEAM_BEGIN(t, teams);
  const uint pair = t.index;
  if (pair >= run.pairs * run.islands || marks[GENETIC_STOP] < generation) return;
  mutate_pair(children, numbers, settings, run, generation, pair, family_of(run, pair, 0u, 0u), t.lane, t.lanes);
}
