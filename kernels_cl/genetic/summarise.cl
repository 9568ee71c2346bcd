/* What is known of a generation, as a launch of its own. */
#include "genetic/island_summary.cl"

/* Finds what is known of a generation of each island: limits; the best individual ever; marks. section_limits,
 * section_places: what find_section_limits() found; sections: how many an island has, or 0. Launched with a work-group
 * for each island. */
kernel void summarise(global const element* population, global const real* costs, global real* limits,
                      global element* best, global volatile uint* marks, global const real* numbers,
                      global const real* section_limits, global const uint* section_places,
                      global const genetic_settings* settings, uint generation, uint sections) {
  const genetic_settings run = genetic_settings_of(settings);
  local real least[LIMITS_ITEMS];
  local real greatest[LIMITS_ITEMS];
  local uint place[LIMITS_ITEMS];
  summarise_island(population, costs, limits, best, marks, numbers, section_limits, section_places, run, generation,
                   (uint)get_group_id(0), sections, least, greatest, place);
}
