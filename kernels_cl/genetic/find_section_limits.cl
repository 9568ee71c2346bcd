/* The limits of a large island's costs, section by section. */
#include "shared/genetic/genetic.h"
#include "genetic/join_limits.cl"

/* Finds the least and the greatest finite cost of sections of each island, to section_limits, and where the least is,
 * to section_places. sections: of an island. Launched with a work-group for each section. */
kernel void find_section_limits(global const real* costs, global real* section_limits, global uint* section_places,
                                global const genetic_settings* settings, uint sections) {
  const genetic_settings run = genetic_settings_of(settings);
  local real least[LIMITS_ITEMS];
  local real greatest[LIMITS_ITEMS];
  local uint place[LIMITS_ITEMS];
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint island = (uint)get_group_id(0) / sections;
  const uint section = (uint)get_group_id(0) % sections;
  const uint size = (run.population + sections - 1u) / sections;
  const uint begin = min(section * size, run.population);
  const uint end = min(begin + size, run.population);
  real own_least = (real)INFINITY;
  real own_greatest = -(real)INFINITY;
  uint own_place = begin;
  for (uint i = begin + item; i < end; i += items) {
    const real cost = costs[island * run.population + i];
    if (cost < own_least) {
      own_least = cost;
      own_place = i;
    }
    if (cost < (real)INFINITY && cost > own_greatest) own_greatest = cost;
  }
  least[item] = own_least;
  greatest[item] = own_greatest;
  place[item] = own_place;
  join_limits(least, greatest, place);
  if (item == 0u) {
    section_limits[2u * (uint)get_group_id(0)] = least[0];
    section_limits[2u * (uint)get_group_id(0) + 1u] = greatest[0];
    section_places[get_group_id(0)] = place[0];
  }
}
