/* Elites and migrants. */
#include "shared/genetic/genetic.h"

/* Copies `count` individuals, and their costs: number i of from_places to number i of to_places. Launched over their
 * elements. */
kernel void copy_individuals(global const element* from_population, global const real* from_costs,
                             global const uint* from_places, global element* to_population, global real* to_costs,
                             global const uint* to_places, global const genetic_settings* settings,
                             global const uint* marks, uint generation, uint count) {
  const genetic_settings run = genetic_settings_of(settings);
  const ulong number = get_global_id(0);
  const ulong i = number / run.row;
  const uint element_number = (uint)(number % run.row);
  if (i >= count || marks[GENETIC_STOP] < generation) return;
  to_population[(ulong)to_places[i] * run.row + element_number] =
      from_population[(ulong)from_places[i] * run.row + element_number];
  if (element_number == 0u) to_costs[to_places[i]] = from_costs[from_places[i]];
}
