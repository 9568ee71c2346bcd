/* Evaluation as a launch of its own: of start populations, and where the stages are apart. */
#include "genetic/team.cl"
#include "genetic/pair_members.cl"

/* Evaluates a piece of a generation, to costs: of the individuals that are not elites, which generation 0 has none of,
 * numbers `first` to `end`. tables: the objective's; teams: of a work-group. */
kernel SUBGROUP_REQUIRE void evaluate(global const element* population, global real* costs, global const real* tables,
                                      global const uint* marks, global const genetic_settings* settings,
                                      uint generation, uint teams, uint first, uint end) {
  const genetic_settings run = genetic_settings_of(settings);
  TEAM_BEGIN(t, teams);
  const uint each = generation == 0u ? run.population : genetic_bred(run);
  const uint number = min(first + t.index, end - 1u);
  const uint i = number / each * run.population + number % each;
  const individual x = individual_in(population, run, i, tables);
  {
    const uint stopped = marks[GENETIC_STOP] < generation || first + t.index >= end ? 1u : 0u;
#if OBJECTIVE_FORM == 0
    if (stopped == 0u && t.lane == 0u) costs[i] = genetic_cost(objective_of(x), run.maximise);
#else
    const objective_sum part = stopped == 0u ? lane_part(x, t.lane, t.lanes, t.slot) : OBJECTIVE_ABSENT;
    const objective_sum sum = TEAM_SUM(t, part);
    if (stopped == 0u && t.lane == 0u) costs[i] = genetic_cost(objective_value(x, sum), run.maximise);
#endif
  }
}
