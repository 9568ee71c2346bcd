/* One generation in one launch, with the population in global memory: for populations that local memory does not hold.
 */
#include "genetic/brood.cl"
#include "genetic/summary.cl"

/* Breeds and evaluates the children of every pair. parents: of each pair where they are selected before
 * (GENETIC_CHOSEN); costs, limits: of the generation before, for work-groups that select; team_lanes: of a team, a
 * power of two that divides the sub-groups; of bits, brood: the children of a work-group's pairs, listed: a word for
 * each of their units, points: of its pairs; summarises: whether every work-group is to survey its children, to
 * surveyed and surveyed_places, and the last one is to do what summarise() does (with GENETIC_SUMS_UP). Each island has
 * the same number of work-groups, which share out its pairs. */
kernel FUSED_REQUIRE void breed(global const element* population, global element* children, global const real* costs,
                                global real* child_costs, global real* limits, global const uint* parents,
                                global element* best, global volatile uint* marks, global const real* numbers,
                                global const real* tables, global real* surveyed, global uint* surveyed_places,
                                global uint* scratch, global const genetic_settings* settings, uint generation,
                                uint summarises, uint pairs_each, uint team_lanes, local ulong* brood,
                                local uint* listed, local uint* points) {
  const genetic_settings run = genetic_settings_of(settings);
  SUBGROUP_BEGIN(sg, FUSED_GROUP_SIZE);
#ifdef GENETIC_SUMS_UP
  local real least[LIMITS_ITEMS];
  local real greatest[LIMITS_ITEMS];
  local uint place[LIMITS_ITEMS];
  local uint last;
#endif
  const uint lanes = FUSED_TEAM(team_lanes);
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint lane = item % lanes;
  const uint teams = items / lanes;
  const uint rounds = (pairs_each + teams - 1u) / teams;
  const uint groups = (uint)get_num_groups(0) / run.islands;
  const uint island = (uint)get_group_id(0) / groups;
  const uint first_place = (uint)get_group_id(0) % groups * pairs_each;
  const uint first_pair = island * run.pairs + first_place;
  const uint own_pairs =
      marks[GENETIC_STOP] < generation ? 0u : min(pairs_each, run.pairs - min(first_place, run.pairs));
  const uint island_begin = island * run.population;
#if OBJECTIVE_KIND == 0
  local uint count;
  local element* const genes = (local element*)brood;
  if (item == 0u) count = 0u;
#ifdef GENETIC_CHOSEN
  for (uint slot = item; slot < own_pairs; slot += items) {
    const genetic_points drawn = genetic_draw_points(run, generation, first_pair + slot);
    points[2u * slot] = drawn.first;
    points[2u * slot + 1u] = drawn.last;
  }
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < rounds; ++round) {
    const uint slot = round * teams + item / lanes;
    const uint active = slot < own_pairs ? 1u : 0u;
    const uint own = active != 0u ? slot : 0u;
    const uint pair = min(first_pair + own, run.pairs * run.islands - 1u);
#ifdef GENETIC_CHOSEN
    genetic_parents chosen;
    genetic_points between;
    chosen.first = parents[2u * pair];
    chosen.second = parents[2u * pair + 1u];
    between.first = points[2u * own];
    between.last = points[2u * own + 1u];
#else
    const genetic_wheel w = wheel_of_island(costs, 0, limits, run, island, 0u);
    const fused_draws draws = draw_together(sg, w, settings, run, generation, pair,
                                            draw_blocks(run, generation, pair, lane, lanes), lane, lanes);
    const genetic_parents chosen = draws.parents;
    const genetic_points between = draws.points;
    if (active != 0u && lane == 0u) {
      points[2u * slot] = between.first;
      points[2u * slot + 1u] = between.last;
    }
#endif
    copy_and_list(sg, parent_units(population, run, island_begin + chosen.first),
                  parent_units(population, run, island_begin + chosen.second), brood, listed, &count, run, between,
                  active, own, lane, lanes);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  swap_listed(brood, listed, count, points, run, generation, first_pair);
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    /* Gaps take a work-item a child. */
    const uint sharers = run.mutation_way != GENETIC_GAPS ? lanes : min(2u, items);
    const uint shares = items / sharers;
    for (uint slot = item / sharers; item < shares * sharers && slot < own_pairs; slot += shares)
      mutate_pair(genes, numbers, settings, run, generation, first_pair + slot, family_of_brood(run, first_place, slot),
                  item % sharers, sharers);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < rounds; ++round) {
    const uint slot = round * teams + item / lanes;
    const uint active = slot < own_pairs ? 1u : 0u;
    const uint own = active != 0u ? slot : 0u;
    const genetic_family family = family_of_brood(run, first_place, own);
    const ulong first_child = island_begin + 2u * (ulong)(first_place + own);
    if (active != 0u) store_units(genes, children + first_child * run.row, run, family, lane, lanes);
    cost_pair(sg, genes, child_costs + (island_begin + 2u * first_place), tables, run, family, active, lane, lanes,
              slot);
  }
#else
  for (uint round = 0u; round < rounds; ++round) {
    const uint slot = round * teams + item / lanes;
    const uint active = slot < own_pairs ? 1u : 0u;
    const uint pair = min(first_pair + slot, run.pairs * run.islands - 1u);
    const genetic_family family = family_of(run, pair, parents[2u * pair], parents[2u * pair + 1u]);
    if (active != 0u)
      cross_pair(population, children, numbers, scratch, run, generation, pair, family,
                 genetic_draw_points(run, generation, pair), lane, lanes, slot);
    subgroup_fence(sg);
    if (active != 0u) mutate_pair(children, numbers, settings, run, generation, pair, family, lane, lanes);
    subgroup_fence(sg);
    cost_pair(sg, children, child_costs, tables, run, family, active, lane, lanes, slot);
  }
#endif
#ifdef GENETIC_SUMS_UP
  {
    const uint first_child = 2u * first_place;
    const uint bred = genetic_bred(run);
    const uint own_children = min(2u * own_pairs, bred - min(first_child, bred));
    global const real* own_costs = child_costs + island_begin + first_child;
    uint islands;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    find_limits(own_costs, own_costs, 0, 1u, own_children, least, greatest, place);
    if (item == 0u) {
      surveyed[2u * (uint)get_group_id(0)] = least[0];
      surveyed[2u * (uint)get_group_id(0) + 1u] = greatest[0];
      surveyed_places[get_group_id(0)] = first_child + place[0];
    }
    islands = islands_of_last_group(marks, run, summarises, &last);
    for (uint each = 0u; each < islands; ++each)
      summarise_island(children, child_costs, limits, best, marks, numbers, surveyed, surveyed_places, run, generation,
                       each, groups, least, greatest, place);
  }
#endif
}
