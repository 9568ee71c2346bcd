/* Selection: what the wheel needs, and the parents of each pair. */
#include "common/subgroup.cl"
#include "shared/genetic_parents.h"

/* The largest work-group of this file, which bounds local memory. */
#define SELECTION_GROUP_SIZE 256

/* What is known of a generation of each island, a work-group each: its least and greatest finite cost, its best
 * individual, which is kept where none was as good before, and whether the run is to end here. */
kernel void summarise(global const element* population, global const real* costs, global real* limits,
                      global element* best, global volatile uint* marks, global const real* numbers,
                      genetic_settings run, uint generation) {
  local real least[SELECTION_GROUP_SIZE];
  local real greatest[SELECTION_GROUP_SIZE];
  local uint place[SELECTION_GROUP_SIZE];
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint island = (uint)get_group_id(0);
  const uint begin = island * run.population;
  const uint stopped = marks[GENETIC_STOP] < generation ? 1u : 0u;
  real own_least = (real)INFINITY;
  real own_greatest = -(real)INFINITY;
  uint own_place = 0u;
  for (uint i = item; i < run.population; i += items) {
    const real cost = costs[begin + i];
    if (cost < own_least) {
      own_least = cost;
      own_place = i;
    }
    if (cost < (real)INFINITY && cost > own_greatest) own_greatest = cost;
  }
  least[item] = own_least;
  greatest[item] = own_greatest;
  place[item] = own_place;
  for (uint reach = 1u; reach < items; reach <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item % (2u * reach) == 0u && item + reach < items) {
      const uint other = item + reach;
      if (least[other] < least[item] || (least[other] == least[item] && place[other] < place[item])) {
        least[item] = least[other];
        place[item] = place[other];
      }
      greatest[item] = max(greatest[item], greatest[other]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (stopped == 0u) {
    global real* own = limits + island * GENETIC_LIMITS;
    global volatile uint* own_marks = marks + GENETIC_MARKS + island * GENETIC_MARKS_EACH;
    const uint better = generation == 0u || least[0] < own[GENETIC_BEST] ? 1u : 0u;
    const uint improved = better != 0u ? generation : own_marks[0];
    if (better != 0u)
      for (uint i = item; i < run.row; i += items)
        best[(ulong)island * run.row + i] = population[(ulong)(begin + place[0]) * run.row + i];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (item == 0u) {
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

/* sections[s]: the weights of a section of an island added up, a work-group for each section. */
kernel SUBGROUP_REQUIRE void weigh(global const real* costs, global const real* limits, global ulong* sections,
                                   global const uint* marks, genetic_settings run, uint generation) {
  local ulong parts[SELECTION_GROUP_SIZE];
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

/* The parents of each pair, a work-item each. costs, limits: of the generation before; sections: if they were weighed. */
kernel void select_parents(global const real* costs, global const real* limits, global const ulong* sections,
                           global uint* parents, global const uint* marks, genetic_settings run, uint generation,
                           uint has_sections) {
  const uint pair = (uint)get_global_id(0);
  if (pair >= run.pairs * run.islands || marks[GENETIC_STOP] < generation) return;
  {
    genetic_wheel wheel;
    genetic_parents found;
    wheel.number = pair / run.pairs;
    wheel.costs = costs + wheel.number * run.population;
    wheel.sections = sections + wheel.number * ((run.population + GENETIC_SECTION - 1u) / GENETIC_SECTION);
    wheel.has_sections = has_sections;
    wheel.least = limits[wheel.number * GENETIC_LIMITS + GENETIC_LEAST];
    wheel.greatest = limits[wheel.number * GENETIC_LIMITS + GENETIC_GREATEST];
    found = genetic_parents_of(wheel, run, generation, pair);
    parents[2u * pair] = found.first;
    parents[2u * pair + 1u] = found.second;
  }
}
