/* A pair from its parents' choice to its children, by a team of neighbouring lanes of a sub-group: what the fused
 * kernels are made of. GENETIC_SPACE is where genes and costs are. */
#ifndef CLOPT_GENETIC_BREED_CL
#define CLOPT_GENETIC_BREED_CL

#define INDIVIDUAL_SPACE GENETIC_SPACE
#define COSTS_SPACE GENETIC_SPACE
#undef GENETIC_TEAM
#define GENETIC_TEAM 2
#include "genetic/team.cl"
#include "shared/genetic_parents.h"
#include "genetic/pair.cl"

/* The largest work-group of the fused kernels. */
#define FUSED_GROUP_SIZE 1024
/* Lanes that draw tries, points and gaps in one go. */
#define FUSED_LANES 8u

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
  random_block gap; /* the first gap block of the first segment */
} fused_draws;

/* The accepted try that comes first: its place in the team, twice, plus 1 for a block's second try; 64 lanes or more
 * for none. one, other: who accepts with the first and the second try. */
static inline uint first_accepted(ulong one, ulong other) {
  const ulong any = one | other;
  if (any == 0) return GENETIC_NOBODY;
  {
    const uint lane = 63u - (uint)clz(any & (~any + 1));
    return 2u * lane + ((one >> lane & 1) != 0 ? 0u : 1u);
  }
}

/* All lanes of a team draw at once: most of them tries, the last but one the points, the last one the gaps. The
 * individuals are those that one work-item would accept, one try after the other. */
static inline fused_draws draw_together(subgroup sg, genetic_wheel w, genetic_settings run, uint generation, uint pair,
                                        uint lane, uint lanes, uint top, uint top_bias) {
  const uint base = sg.lane - lane;
  const uint tries = lanes - 2u;
  const uint purpose = lane < tries ? GENETIC_SELECTION : lane == tries ? GENETIC_POINTS : GENETIC_MUTATION;
  const random_block block = random_at(run.seed, purpose, generation, pair, lane < tries ? lane : 0u);
  const ulong members = (lanes == 64u ? ~(ulong)0 : ((ulong)1 << lanes) - 1) << base;
  /* Every lane makes tries, and points, of whatever it drew: without branches, see limits_of(). */
  const genetic_points points = genetic_points_of(run, generation, pair, block);
  const uint one_drawn = genetic_index(block.a, run.population, run.index_bias);
  const uint other_drawn = genetic_index(block.c, run.population, run.index_bias);
  const uint one_weight = genetic_weight_on(w, run, min(one_drawn, run.population - 1u));
  const uint other_weight = genetic_weight_on(w, run, min(other_drawn, run.population - 1u));
  const uint one_accepted = genetic_accepts(block.b, one_weight, top, top_bias);
  const uint other_accepted = genetic_accepts(block.d, other_weight, top, top_bias);
  const uint one = lane < tries && one_accepted != 0u ? one_drawn : GENETIC_NOBODY;
  const uint other = lane < tries && other_accepted != 0u ? other_drawn : GENETIC_NOBODY;
  fused_draws draws;
  draws.parents.first = GENETIC_NOBODY;
  draws.parents.second = GENETIC_NOBODY;
  for (uint parent = 0u; parent < 2u; ++parent) {
    const uint first = draws.parents.first;
    const ulong ones = subgroup_ballot(sg, one != GENETIC_NOBODY && one != first);
    const ulong others = subgroup_ballot(sg, other != GENETIC_NOBODY && other != first);
    const uint found = first_accepted((ones & members) >> base, (others & members) >> base);
    const uint source = found == GENETIC_NOBODY ? sg.lane : base + found / 2u;
    const uint from_one = subgroup_shuffle_uint(sg, one, source);
    const uint from_other = subgroup_shuffle_uint(sg, other, source);
    const uint who = found == GENETIC_NOBODY ? GENETIC_NOBODY : (found & 1u) == 0u ? from_one : from_other;
    if (parent == 0u)
      draws.parents.first = who;
    else
      draws.parents.second = who;
  }
  draws.points.first = subgroup_shuffle_uint(sg, points.first, base + tries);
  draws.points.last = subgroup_shuffle_uint(sg, points.last, base + tries);
  draws.gap.a = subgroup_shuffle_uint(sg, block.a, base + tries + 1u);
  draws.gap.b = subgroup_shuffle_uint(sg, block.b, base + tries + 1u);
  draws.gap.c = subgroup_shuffle_uint(sg, block.c, base + tries + 1u);
  draws.gap.d = subgroup_shuffle_uint(sg, block.d, base + tries + 1u);
  if (draws.parents.second == GENETIC_NOBODY)
    draws.parents = genetic_roulette(w, run, generation, pair, draws.parents, tries);
  return draws;
}

static inline fused_draws draw_alone(genetic_wheel w, genetic_settings run, uint generation, uint pair) {
  fused_draws draws;
  draws.parents = genetic_parents_of(w, run, generation, pair);
  draws.points = genetic_draw_points(run, generation, pair);
  draws.gap = genetic_gap_block(run, generation, pair, 0u, 0u);
  return draws;
}

#if OBJECTIVE_KIND == 0

/* Both children, mutated, in one go: a unit at a time in registers. */
static inline void breed_bits(GENETIC_SPACE const element* population, GENETIC_SPACE element* children,
                              genetic_settings run, uint generation, uint pair, genetic_family family,
                              fused_draws draws, uint lane, uint lanes) {
  GENETIC_SPACE ulong* first = units_of(children, run, family.first_child);
  GENETIC_SPACE ulong* second = units_of(children, run, family.second_child);
  for (uint unit = lane; unit < run.units; unit += lanes) {
    const ulong a = unit_of(population, run, family.first_parent, unit);
    const ulong b = unit_of(population, run, family.second_parent, unit);
    const ulong swapped = genetic_swapped(run, generation, pair, unit, draws.points, a ^ b);
    const genetic_masks masks = unit >> run.segment == 0u
                                    ? genetic_mutated_after(run, generation, pair, unit, draws.gap)
                                    : genetic_mutated(run, generation, pair, unit);
    first[unit] = a ^ swapped ^ masks.first;
    if (family.has_second != 0u) second[unit] = b ^ swapped ^ masks.second;
  }
}

#endif

static inline individual individual_in(GENETIC_SPACE const element* population, genetic_settings run, uint i,
                                       global const real* tables) {
  individual x;
  x.first = population + (ulong)i * run.row;
  x.stride = 1u;
  x.gene_count = run.genes;
  x.column_count = 0u;
  x.row_values = tables;
  x.tables = tables;
  return x;
}

/* The costs of a pair's children. All lanes of the sub-group call it; those of teams without a pair change nothing. */
static inline void cost_pair(subgroup sg, GENETIC_SPACE const element* children, GENETIC_SPACE real* costs,
                             global const real* tables, genetic_settings run, genetic_family family, uint active,
                             uint lane, uint lanes) {
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
    sum_of_one = lane_part(one, lane, lanes);
    if (family.has_second != 0u) sum_of_other = lane_part(other, lane, lanes);
  }
  for (uint offset = 1u; offset < lanes; offset <<= 1) {
    sum_of_one += SHUFFLE_XOR_SUM(sg, sum_of_one, offset);
    sum_of_other += SHUFFLE_XOR_SUM(sg, sum_of_other, offset);
  }
  if (active != 0u && lane == 0u) {
    costs[family.first_child] = genetic_cost(objective_value(one, sum_of_one), run.maximise);
    if (family.has_second != 0u)
      costs[family.second_child] = genetic_cost(objective_value(other, sum_of_other), run.maximise);
  }
#endif
}

#endif
