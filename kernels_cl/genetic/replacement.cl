/* Replacement: what is known of a generation, elites and migrants. */
#include "genetic/summary.cl"

/* What is known of a generation of each island, a work-group each. sections: how many an island was surveyed in, or 0.
 */
kernel void summarise(global const element* population, global const real* costs, global real* limits,
                      global element* best, global volatile uint* marks, global const real* numbers,
                      global const real* surveyed, global const uint* surveyed_places,
                      global const genetic_settings* settings, uint generation, uint sections) {
  const genetic_settings run = genetic_settings_of(settings);
  local real least[LIMITS_ITEMS];
  local real greatest[LIMITS_ITEMS];
  local uint place[LIMITS_ITEMS];
  summarise_island(population, costs, limits, best, marks, numbers, surveyed, surveyed_places, run, generation,
                   (uint)get_group_id(0), sections, least, greatest, place);
}

/* Copies individuals, and their costs, to others' places: number i of `from` to number i of `to`. Launched over their
 * elements. */
kernel void copy_individuals(global const element* from_population, global const real* from_costs,
                             global const uint* from, global element* to_population, global real* to_costs,
                             global const uint* to, global const genetic_settings* settings, global const uint* marks,
                             uint generation, uint count) {
  const genetic_settings run = genetic_settings_of(settings);
  const ulong number = get_global_id(0);
  const ulong i = number / run.row;
  const uint element_number = (uint)(number % run.row);
  if (i >= count || marks[GENETIC_STOP] < generation) return;
  to_population[(ulong)to[i] * run.row + element_number] = from_population[(ulong)from[i] * run.row + element_number];
  if (element_number == 0u) to_costs[to[i]] = from_costs[from[i]];
}
