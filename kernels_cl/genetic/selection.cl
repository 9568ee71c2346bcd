/* Selection: what the wheel needs, and the parents of each pair. */
#include "genetic/wheel.cl"
#include "genetic/limits.cl"

/* The largest work-group of this file, which bounds local memory. */
#define SELECTION_GROUP_SIZE 256

/* sections[s]: the weights of a section of an island added up, a work-group for each section. */
kernel void weigh(global const real* costs, global const real* limits, global ulong* sections, global const uint* marks,
                  global const genetic_settings* settings, uint generation) {
  const genetic_settings run = genetic_settings_of(settings);
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

/* The least and the greatest finite cost of sections of each island, and where the least is, a work-group a section. */
kernel void survey(global const real* costs, global real* surveyed, global uint* surveyed_places,
                   global const genetic_settings* settings, uint sections) {
  const genetic_settings run = genetic_settings_of(settings);
  local real least[SELECTION_GROUP_SIZE];
  local real greatest[SELECTION_GROUP_SIZE];
  local uint place[SELECTION_GROUP_SIZE];
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
    surveyed[2u * (uint)get_group_id(0)] = least[0];
    surveyed[2u * (uint)get_group_id(0) + 1u] = greatest[0];
    surveyed_places[get_group_id(0)] = place[0];
  }
}

/* The parents of each pair, a work-item each. costs, limits: of the generation before; sections: if they were weighed.
 */
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

/* 1 where an individual comes before another one: the lower cost, the lower number among equals; or the reverse. */
static inline uint comes_before(real cost, uint i, real other_cost, uint other, uint reverse) {
  if (cost != other_cost) return (cost < other_cost) != (reverse != 0u) ? 1u : 0u;
  return (reverse != 0u ? i > other : i < other) ? 1u : 0u;
}

/* The first `count` individuals of each island, from the best down, or from the worst up with `reverse`: numbers among
 * all individuals, `count` an island, a work-group each. An island's numbers stand `shift` islands further on, around
 * the ring. Each round finds what comes next after the one before. */
kernel void extremes(global const real* costs, global uint* found, global const genetic_settings* settings, uint count,
                     uint reverse, uint shift) {
  const genetic_settings run = genetic_settings_of(settings);
  local real least[SELECTION_GROUP_SIZE];
  local uint place[SELECTION_GROUP_SIZE];
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint island = ((uint)get_group_id(0) + shift) % run.islands;
  const uint begin = (uint)get_group_id(0) * run.population;
  real last_cost = 0;
  uint last = GENETIC_NOBODY;
  for (uint round = 0u; round < count; ++round) {
    real own_cost = 0;
    uint own = GENETIC_NOBODY;
    for (uint i = item; i < run.population; i += items) {
      const real cost = costs[begin + i];
      if (last != GENETIC_NOBODY && comes_before(last_cost, last, cost, i, reverse) == 0u) continue;
      if (own == GENETIC_NOBODY || comes_before(cost, i, own_cost, own, reverse) != 0u) {
        own_cost = cost;
        own = i;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    least[item] = own_cost;
    place[item] = own;
    for (uint reach = 1u; reach < items; reach <<= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (item % (2u * reach) == 0u && item + reach < items) {
        const uint other = place[item + reach];
        if (other != GENETIC_NOBODY &&
            (place[item] == GENETIC_NOBODY ||
             comes_before(least[item + reach], other, least[item], place[item], reverse) != 0u)) {
          least[item] = least[item + reach];
          place[item] = other;
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    last_cost = least[0];
    last = place[0];
    if (item == 0u) found[island * count + round] = begin + last;
  }
}
