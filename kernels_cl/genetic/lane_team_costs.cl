/* The costs of a pair's children, by a team of neighbouring lanes. */
#ifndef CLOPT_GENETIC_LANE_TEAM_COSTS_CL
#define CLOPT_GENETIC_LANE_TEAM_COSTS_CL

#include "genetic/lane_team.cl"

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
    /* Even lanes continue with the first child's sum, odd ones with the second's: half of the exchanges. */
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
