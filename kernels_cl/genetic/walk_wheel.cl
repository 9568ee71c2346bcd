/* Selection by one work-group an island, as the thesis has it (chapter 4, algorithm 2). */
#include "genetic/section_weights.cl"

/* The largest work-group of this kernel, which bounds local memory. */
#define WALK_GROUP_SIZE 1024

/* Adds up the wheel of each island together, then chooses the parents of its pairs, a pair a work-item. costs, limits: of
 * the generation before. Only of islands of one section. Launched with a work-group for each island. */
kernel void walk_wheel(global const real* costs, global const real* limits, global ulong* sections,
                       global uint* parents, global const uint* marks, global const genetic_settings* settings,
                       uint generation) {
  const genetic_settings run = genetic_settings_of(settings);
  local ulong parts[WALK_GROUP_SIZE];
  const uint island = (uint)get_group_id(0);
  const uint first = island * run.pairs;
  const uint count = marks[GENETIC_STOP] < generation ? 0u : run.pairs;
  const genetic_wheel wheel = wheel_of_island(costs, sections, limits, run, island, 1u);
  weigh_section(wheel, run, 0u, sections + island, parts);
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint pair = first + (uint)get_local_id(0); pair < first + count; pair += (uint)get_local_size(0)) {
    const genetic_parents found = genetic_parents_of(wheel, run, generation, pair);
    parents[2u * pair] = found.first;
    parents[2u * pair + 1u] = found.second;
  }
}
