/* One generation in one launch, with the population in global memory: for populations that local memory does not hold.
 */
#include "genetic/local_children.cl"
#include "genetic/island_summary.cl"

/* What a work-group is to do, and this work-item's part in it. */
typedef struct {
  uint item;
  uint items;
  uint lane; /* in its team */
  uint lanes;
  uint teams;
  uint rounds; /* in which the teams take the pairs */
  uint groups; /* work-groups of an island */
  uint island_begin;
  uint first_place; /* of the work-group's first pair on its island */
  uint first_pair;
  uint pairs; /* of the work-group; 0 once the run has ended */
} group_share;

static inline group_share share_of_group(genetic_settings run, uint stopped, uint pairs_each, uint lanes) {
  group_share share;
  uint island;
  share.item = (uint)get_local_id(0);
#ifdef GENETIC_FIXED_ITEMS
  share.items = (uint)GENETIC_FIXED_ITEMS;
#else
  share.items = (uint)get_local_size(0);
#endif
  share.lanes = lanes;
  share.lane = share.item % lanes;
  share.teams = share.items / lanes;
  share.rounds = (pairs_each + share.teams - 1u) / share.teams;
  share.groups = (uint)get_num_groups(0) / run.islands;
  island = (uint)get_group_id(0) / share.groups;
  share.first_place = (uint)get_group_id(0) % share.groups * pairs_each;
  share.first_pair = island * run.pairs + share.first_place;
  share.pairs = stopped != 0u ? 0u : min(pairs_each, run.pairs - min(share.first_place, run.pairs));
  share.island_begin = island * run.population;
  return share;
}

#if OBJECTIVE_KIND == 0

/* Copies the parents of the work-group's pairs to where their children are to be, and lists the units in which they
 * differ. Where parents are not selected before, it selects them and draws the points. */
ALWAYS_INLINED void copy_parents_of_group(subgroup sg, group_share share, global const element* population,
                                          global const real* costs, global const real* limits,
                                          global const uint* parents, global const genetic_settings* settings,
                                          genetic_settings run, uint generation, local ulong* children,
                                          local uint* listed, local uint* count, local uint* points) {
  for (uint round = 0u; round < share.rounds; ++round) {
    const uint slot = round * share.teams + share.item / share.lanes;
    const uint active = slot < share.pairs ? 1u : 0u;
    const uint own = active != 0u ? slot : 0u;
    const uint pair = min(share.first_pair + own, run.pairs * run.islands - 1u);
#ifdef GENETIC_CHOSEN
    genetic_parents chosen;
    genetic_points between;
    chosen.first = parents[2u * pair];
    chosen.second = parents[2u * pair + 1u];
    between.first = points[2u * own];
    between.last = points[2u * own + 1u];
#else
    const genetic_wheel w = wheel_of_island(costs, 0, limits, run, (uint)get_group_id(0) / share.groups, 0u);
    const fused_draws draws =
        draw_together(sg, w, settings, run, generation, pair,
                      draw_blocks(run, generation, pair, share.lane, share.lanes), share.lane, share.lanes);
    const genetic_parents chosen = draws.parents;
    const genetic_points between = draws.points;
    if (active != 0u && share.lane == 0u) {
      points[2u * slot] = between.first;
      points[2u * slot + 1u] = between.last;
    }
#endif
    copy_and_list(sg, parent_units(population, run, share.island_begin + chosen.first),
                  parent_units(population, run, share.island_begin + chosen.second), children, listed, count, run,
                  between, active, own, share.lane, share.lanes);
  }
}

/* Mutates the children in local memory. */
ALWAYS_INLINED void mutate_group(group_share share, local element* genes, global const real* numbers,
                                 global const genetic_settings* settings, genetic_settings run, uint generation) {
  /* Gaps take a work-item a child. */
  const uint sharers = run.mutation_way != GENETIC_GAPS ? share.lanes : min(2u, share.items);
  const uint shares = share.items / sharers;
  for (uint slot = share.item / sharers; share.item < shares * sharers && slot < share.pairs; slot += shares)
    mutate_pair(genes, numbers, settings, run, generation, share.first_pair + slot,
                family_in_group(run, share.first_place, slot), share.item % sharers, sharers);
}

/* Writes the children from local to global memory, and evaluates them. */
ALWAYS_INLINED void store_and_evaluate_group(subgroup sg, group_share share, local element* genes,
                                             global element* children, global real* child_costs,
                                             global const real* tables, genetic_settings run) {
  for (uint round = 0u; round < share.rounds; ++round) {
    const uint slot = round * share.teams + share.item / share.lanes;
    const uint active = slot < share.pairs ? 1u : 0u;
    const uint own = active != 0u ? slot : 0u;
    const genetic_family family = family_in_group(run, share.first_place, own);
    const ulong first_child = share.island_begin + 2u * (ulong)(share.first_place + own);
    if (active != 0u) store_units(genes, children + first_child * run.row, run, family, share.lane, share.lanes);
    cost_pair(sg, genes, child_costs + (share.island_begin + 2u * share.first_place), tables, run, family, active,
              share.lane, share.lanes, slot);
  }
}

#else

/* Breeds and evaluates the children of the work-group's pairs where they are to be in global memory. */
ALWAYS_INLINED void breed_group(subgroup sg, group_share share, global const element* population,
                                global element* children, global real* child_costs, global const uint* parents,
                                global const real* numbers, global const real* tables, global uint* scratch,
                                global const genetic_settings* settings, genetic_settings run, uint generation) {
  for (uint round = 0u; round < share.rounds; ++round) {
    const uint slot = round * share.teams + share.item / share.lanes;
    const uint active = slot < share.pairs ? 1u : 0u;
    const uint pair = min(share.first_pair + slot, run.pairs * run.islands - 1u);
    const genetic_family family = family_of(run, pair, parents[2u * pair], parents[2u * pair + 1u]);
    if (active != 0u)
      cross_pair(population, children, numbers, scratch, run, generation, pair, family,
                 genetic_draw_points(run, generation, pair), share.lane, share.lanes, slot);
    subgroup_fence(sg);
    if (active != 0u) mutate_pair(children, numbers, settings, run, generation, pair, family, share.lane, share.lanes);
    subgroup_fence(sg);
    cost_pair(sg, children, child_costs, tables, run, family, active, share.lane, share.lanes, slot);
  }
}

#endif

/* Breeds and evaluates the children of every pair, but for elites. parents: of each pair where they are selected before
 * (GENETIC_CHOSEN); costs, limits: of the generation before, for work-groups that select; scratch: as of crossover();
 * pairs_each: pairs of a work-group; team_lanes: of a team, a power of two that divides the sub-groups. With summarises
 * (and GENETIC_SUMS_UP) every work-group finds the limits of its children, to section_limits and section_places, and
 * the last one does what summarise() does. Local memory, of bits: the children of a work-group's pairs; listed: a word
 * for each of their units; points: two words for each pair. Launched with the same number of work-groups for each
 * island, which share out its pairs. */
kernel FUSED_REQUIRE void breed(global const element* population, global element* children, global const real* costs,
                                global real* child_costs, global real* limits, global const uint* parents,
                                global element* best, global volatile uint* marks, global const real* numbers,
                                global const real* tables, global real* section_limits, global uint* section_places,
                                global uint* scratch, global const genetic_settings* settings, uint generation,
                                uint summarises, uint pairs_each, uint team_lanes, local ulong* local_children,
                                local uint* listed, local uint* points) {
  const genetic_settings run = genetic_settings_of(settings);
  SUBGROUP_BEGIN(sg, FUSED_GROUP_SIZE);
#ifdef GENETIC_SUMS_UP
  local real least[LIMITS_ITEMS];
  local real greatest[LIMITS_ITEMS];
  local uint place[LIMITS_ITEMS];
  local uint last;
#endif
  const group_share share =
      share_of_group(run, marks[GENETIC_STOP] < generation ? 1u : 0u, pairs_each, FUSED_TEAM(team_lanes));
#if OBJECTIVE_KIND == 0
  local uint count;
  local element* const genes = (local element*)local_children;
  if (share.item == 0u) count = 0u;
#ifdef GENETIC_CHOSEN
  for (uint slot = share.item; slot < share.pairs; slot += share.items) {
    const genetic_points drawn = genetic_draw_points(run, generation, share.first_pair + slot);
    points[2u * slot] = drawn.first;
    points[2u * slot + 1u] = drawn.last;
  }
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  copy_parents_of_group(sg, share, population, costs, limits, parents, settings, run, generation, local_children,
                        listed, &count, points);
  barrier(CLK_LOCAL_MEM_FENCE);
  swap_listed(local_children, listed, count, points, run, generation, share.first_pair);
  barrier(CLK_LOCAL_MEM_FENCE);
  mutate_group(share, genes, numbers, settings, run, generation);
  barrier(CLK_LOCAL_MEM_FENCE);
  store_and_evaluate_group(sg, share, genes, children, child_costs, tables, run);
#else
  breed_group(sg, share, population, children, child_costs, parents, numbers, tables, scratch, settings, run,
              generation);
#endif
#ifdef GENETIC_SUMS_UP
  {
    const uint first_child = 2u * share.first_place;
    const uint bred = genetic_bred(run);
    const uint own_children = min(2u * share.pairs, bred - min(first_child, bred));
    global const real* own_costs = child_costs + share.island_begin + first_child;
    uint islands;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    find_limits(own_costs, own_costs, 0, 1u, own_children, least, greatest, place);
    if (share.item == 0u) {
      section_limits[2u * (uint)get_group_id(0)] = least[0];
      section_limits[2u * (uint)get_group_id(0) + 1u] = greatest[0];
      section_places[get_group_id(0)] = first_child + place[0];
    }
    islands = islands_of_last_group(marks, run, summarises, &last);
    for (uint each = 0u; each < islands; ++each)
      summarise_island(children, child_costs, limits, best, marks, numbers, section_limits, section_places, run,
                       generation, each, share.groups, least, greatest, place);
  }
#endif
}
