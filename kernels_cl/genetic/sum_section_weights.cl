/* The weights of a wheel, section by section. */
#include "genetic/wheel.cl"

/* The largest work-group of this kernel, which bounds local memory. */
#define WEIGHTS_GROUP_SIZE 256

/* Adds up the weights of each section of the roulette wheel, to sections[s]. costs, limits: of the generation before.
 * Launched with a work-group for each section of each island. */
kernel void sum_section_weights(global const real* costs, global const real* limits, global ulong* sections,
                                global const uint* marks, global const genetic_settings* settings, uint generation) {
  const genetic_settings run = genetic_settings_of(settings);
  local ulong parts[WEIGHTS_GROUP_SIZE];
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint sections_each = (run.population + GENETIC_SECTION - 1u) / GENETIC_SECTION;
  const uint island = (uint)get_group_id(0) / sections_each;
  const uint section = (uint)get_group_id(0) % sections_each;
  const real least = limits[island * GENETIC_LIMITS + GENETIC_LEAST];
  const real greatest = limits[island * GENETIC_LIMITS + GENETIC_GREATEST];
  ulong sum = 0;
  for (uint i = item; i < GENETIC_SECTION; i += items) {
    const uint individual = section * GENETIC_SECTION + i;
    if (individual < run.population)
      sum += genetic_weight(costs[island * run.population + individual], least, greatest, run.whole);
  }
  parts[item] = sum;
  for (uint reach = 1u; reach < items; reach <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item % (2u * reach) == 0u && item + reach < items) parts[item] += parts[item + reach];
  }
  if (item == 0u) sections[get_group_id(0)] = parts[0];
}
