/* Replacement: what is known of a generation, elites and migrants. */
#include "shared/genetic.h"
#include "genetic/limits.cl"

/* The largest work-group of this file, which bounds local memory. */
#define REPLACEMENT_GROUP_SIZE 256

/* What is known of a generation of each island, a work-group each: its least and greatest finite cost, its best
 * individual, which is kept where none was as good before, and whether the run is to end here. sections: how many an
 * island was surveyed in, or 0. */
kernel void summarise(global const element* population, global const real* costs, global real* limits,
                      global element* best, global volatile uint* marks, global const real* numbers,
                      global const real* surveyed, global const uint* surveyed_places,
                      global const genetic_settings* settings, uint generation, uint sections) {
  const genetic_settings run = genetic_settings_of(settings);
  local real least[REPLACEMENT_GROUP_SIZE];
  local real greatest[REPLACEMENT_GROUP_SIZE];
  local uint place[REPLACEMENT_GROUP_SIZE];
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint island = (uint)get_group_id(0);
  const uint begin = island * run.population;
  global real* own = limits + island * GENETIC_LIMITS;
  global volatile uint* own_marks = marks + GENETIC_MARKS + island * GENETIC_MARKS_EACH;
  const uint stopped = marks[GENETIC_STOP] < generation ? 1u : 0u;
  const real best_before = own[GENETIC_BEST];
  real own_least = (real)INFINITY;
  real own_greatest = -(real)INFINITY;
  uint own_place = 0u;
  for (uint i = item; i < (sections != 0u ? sections : run.population); i += items) {
    const uint section = island * sections + i;
    const real low = sections != 0u ? surveyed[2u * section] : costs[begin + i];
    const real high = sections != 0u ? surveyed[2u * section + 1u] : low;
    if (low < own_least) {
      own_least = low;
      own_place = sections != 0u ? surveyed_places[section] : i;
    }
    if (high < (real)INFINITY && high > own_greatest) own_greatest = high;
  }
  least[item] = own_least;
  greatest[item] = own_greatest;
  place[item] = own_place;
  join_limits(least, greatest, place);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (stopped != 0u) return;
  {
    const uint better = generation == 0u || least[0] < best_before ? 1u : 0u;
    if (better != 0u)
      for (uint i = item; i < run.row; i += items)
        best[(ulong)island * run.row + i] = population[(ulong)(begin + place[0]) * run.row + i];
    if (item == 0u) {
      const uint improved = better != 0u ? generation : own_marks[0];
      own[GENETIC_LEAST] = least[0];
      own[GENETIC_GREATEST] = greatest[0];
      if (better != 0u) own[GENETIC_BEST] = least[0];
      own_marks[0] = improved;
      own_marks[1] = place[0];
      if ((run.has_target != 0u && least[0] <= numbers[GENETIC_TARGET]) ||
          (run.stagnation != 0u && generation - improved >= run.stagnation))
        marks[GENETIC_STOP] = generation;
    }
  }
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
