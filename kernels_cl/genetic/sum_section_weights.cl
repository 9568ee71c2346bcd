/* The weights of a wheel, section by section. */
#include "genetic/section_weights.cl"

/* The largest work-group of this kernel, which bounds local memory. */
#define WEIGHTS_GROUP_SIZE 256

/* Adds up the weights of each section of the roulette wheel, to sections[s]. costs, limits: of the generation before.
 * Launched with a work-group for each section of each island. */
kernel void sum_section_weights(global const real* costs, global const real* limits, global ulong* sections,
                                global const uint* marks, global const genetic_settings* settings, uint generation) {
  const genetic_settings run = genetic_settings_of(settings);
  local ulong parts[WEIGHTS_GROUP_SIZE];
  const uint each = GENETIC_SECTIONS(run);
  const genetic_wheel wheel = wheel_of_island(costs, sections, limits, run, (uint)get_group_id(0) / each, 0u);
  weigh_section(wheel, run, (uint)get_group_id(0) % each, sections + get_group_id(0), parts);
}
