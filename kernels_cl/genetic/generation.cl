/* One generation in one launch, with the population in global memory: for populations that local memory does not hold.
 */
#define GENETIC_SPACE global
#include "genetic/breed.cl"

#if OBJECTIVE_KIND == 0

/* Units in which parents differ, of all pairs of a work-group. How many a pair has, and how long each takes, differs so
 * much that work-items share them out evenly. */
#define SWAP_JOBS 1024
typedef struct {
  uint count;
  uint place[SWAP_JOBS]; /* the team's pair, and the unit */
  ulong asked[SWAP_JOBS];
} swap_jobs;

/* Copies the parents of a pair to where the children are to be, and lists what is to be decided. What the list has no
 * room for is done at once. */
static inline void copy_and_list(subgroup sg, local swap_jobs* jobs, global const element* population,
                                 global element* children, genetic_settings run, uint generation, uint pair,
                                 genetic_family family, genetic_points points, uint active, uint slot, uint lane,
                                 uint lanes, uint turn) {
  global const ulong* a = units_of(population, run, family.first_parent);
  global const ulong* b = units_of(population, run, family.second_parent);
  global ulong* first = units_of_children(children, run, family.first_child);
  global ulong* second = units_of_children(children, run, family.second_child);
  const uint mine =
      active != 0u ? copy_parents(a, b, first, second, run, points, family.has_second, lane, lanes, turn) : 0u;
  const uint before = subgroup_scan_exclusive_add_uint(sg, mine);
  uint begin = 0u;
  if (sg.lane + 1u == sg.size) begin = atomic_add(&jobs->count, before + mine);
  begin = subgroup_broadcast_uint(sg, begin, sg.size - 1u) + before;
  if (mine == 0u) return;
  if (begin + mine > SWAP_JOBS || run.units > 0xffffu) {
    cross_units(a, b, first, second, run.seed, run.crossover, run.units, generation, pair, points, family.has_second,
                lane, lanes);
    for (uint i = begin; i < SWAP_JOBS; ++i) jobs->asked[i] = 0;
    return;
  }
  for (uint unit = lane; unit < run.units; unit += lanes) {
    const ulong asked = (a[unit] ^ b[unit]) & genetic_between(points, unit);
    if (asked == 0) continue;
    jobs->asked[begin] = asked;
    jobs->place[begin] = slot << 16 | unit;
    ++begin;
  }
}

/* Decides about what was listed, and swaps; every work-item takes its part. first_pair: of the work-group. */
static inline void swap_listed(local const swap_jobs* jobs, global element* children, genetic_settings run,
                               uint generation, uint first_pair) {
  const uint count = min(jobs->count, (uint)SWAP_JOBS);
  const uint all_digits = (uint)(run.crossover & 0xffffffffu);
  uint next = (uint)get_local_id(0);
  uint pair = first_pair;
  uint unit = 0u;
  uint digits = 0u;
  uint z = 0u;
  genetic_lanes decisions;
  decisions.below = 0;
  decisions.undecided = 0;
  for (;;) {
    if (decisions.undecided == 0) {
      if (decisions.below != 0) {
        const genetic_family family = family_of(run, pair, 0u, 0u);
        units_of_children(children, run, family.first_child)[unit] ^= decisions.below;
        if (family.has_second != 0u) units_of_children(children, run, family.second_child)[unit] ^= decisions.below;
      }
      if (next >= count) return;
      pair = first_pair + (jobs->place[next] >> 16);
      unit = jobs->place[next] & 0xffffu;
      decisions.undecided = jobs->asked[next];
      decisions.below = run.crossover >= BERNOULLI_ONE ? decisions.undecided : 0;
      digits = all_digits;
      z = unit << 4;
      next += (uint)get_local_size(0);
    }
    if (digits == 0u) {
      decisions.undecided = 0;
      continue;
    }
    decisions = genetic_two_digits(decisions, random_at(run.seed, GENETIC_CROSSOVER, generation, pair, z), digits);
    digits <<= 2;
    ++z;
  }
}

#endif

/* Breeds and evaluates the children of every pair. costs, limits, sections: of the generation before. team_lanes: of a
 * team, a power of two that divides the sub-groups. Each island has the same number of work-groups, which share out its
 * pairs. */
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
  const uint groups = (uint)get_num_groups(0) / run.islands;
  const uint each = (run.pairs + teams * groups - 1u) / (teams * groups);
  const uint island = (uint)get_group_id(0) / groups;
  const uint begin = (uint)get_group_id(0) % groups * teams * each;
  const uint stopped = marks[GENETIC_STOP] < generation ? 1u : 0u;
  const genetic_wheel w = wheel_of_island(costs, sections, limits, run, island, has_sections);
#if OBJECTIVE_KIND == 0
  local swap_jobs jobs;
  if (item == 0u) jobs.count = 0u;
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  for (uint round = 0u; round < each; ++round) {
    const uint slot = round * teams + turn;
    const uint active = begin + slot < run.pairs && stopped == 0u ? 1u : 0u;
    const uint pair = island * run.pairs + min(begin + slot, run.pairs - 1u);
    const fused_blocks blocks = draw_blocks(run, generation, pair, lane, lanes);
    fused_draws draws;
    genetic_family family;
    if (lanes >= FUSED_LANES && run.selection == GENETIC_ROULETTE)
      draws = draw_together(sg, w, settings, run, generation, pair, blocks, lane, lanes);
    else
      draws = draw_alone(w, settings, run, generation, pair);
    family = family_of(run, pair, draws.parents.first, draws.parents.second);
#if OBJECTIVE_KIND == 0
    copy_and_list(sg, &jobs, population, children, run, generation, pair, family, draws.points, active, slot, lane,
                  lanes, turn);
#else
    if (active != 0u)
      cross_pair(population, children, numbers, scratch, run, generation, pair, family, draws.points, lane, lanes,
                 turn);
#endif
    subgroup_fence(sg);
    mutate_after(sg, children, numbers, settings, run, generation, pair, family, blocks.other, active, lane, lanes);
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#if OBJECTIVE_KIND == 0
  /* Both exclusive-or, so that it does not matter that mutation came first. */
  swap_listed(&jobs, children, run, generation, island * run.pairs + begin);
  barrier(CLK_GLOBAL_MEM_FENCE);
#endif
  for (uint round = 0u; round < each; ++round) {
    const uint slot = round * teams + turn;
    const uint active = begin + slot < run.pairs && stopped == 0u ? 1u : 0u;
    const genetic_family family = family_of(run, island * run.pairs + min(begin + slot, run.pairs - 1u), 0u, 0u);
    cost_pair(sg, children, child_costs, tables, run, family, active, lane, lanes, turn);
  }
}
