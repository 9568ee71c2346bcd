/* Selection as a launch of its own. */
#include "genetic/wheel.cl"

/* Chooses the parents of each pair. costs, limits: of the generation before; sections: what sum_section_weights() left,
 * if has_sections. Launched over the pairs. */
kernel void select_parents(global const real* costs, global const real* limits, global const ulong* sections,
                           global uint* parents, global const uint* marks, global const genetic_settings* settings,
                           uint generation, uint has_sections) {
  const genetic_settings run = genetic_settings_of(settings);
  const uint pair = (uint)get_global_id(0);
  if (pair >= run.pairs * run.islands || marks[GENETIC_STOP] < generation) return;
  {
    const genetic_wheel wheel = wheel_of_island(costs, sections, limits, run, pair / run.pairs, has_sections);
    const genetic_parents found = genetic_parents_of(wheel, run, generation, pair);
    parents[2u * pair] = found.first;
    parents[2u * pair + 1u] = found.second;
  }
}
