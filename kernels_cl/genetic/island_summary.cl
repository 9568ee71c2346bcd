/* What is known of a generation. What other work-groups of the same launch wrote is read as volatile: a compute unit's
 * cache may not have it. All is inlined: PoCL 3.1 gives a function that is not, other local arrays than its caller's.
 */
#ifndef CLOPT_GENETIC_ISLAND_SUMMARY_CL
#define CLOPT_GENETIC_ISLAND_SUMMARY_CL

#include "shared/genetic/genetic.h"
#include "genetic/join_limits.cl"

/* The least and the greatest finite of `count` costs, and where the least is, in least[0], greatest[0] and place[0],
 * after a barrier. Of each, `lows`, `highs` has the least and the greatest one, `places` the place (0: its number). */
static inline __attribute__((always_inline)) void find_limits(global volatile const real* lows,
                                                              global volatile const real* highs,
                                                              global volatile const uint* places, uint stride,
                                                              uint count, local real* least, local real* greatest,
                                                              local uint* place) {
  const uint item = (uint)get_local_id(0);
  const uint items = min((uint)get_local_size(0), (uint)LIMITS_ITEMS);
  real low = (real)INFINITY;
  real high = -(real)INFINITY;
  uint where = 0u;
  if (item < items) {
    for (uint i = item; i < count; i += items) {
      const real cost = lows[stride * i];
      const real last = highs[stride * i];
      if (cost < low) {
        low = cost;
        where = places != 0 ? places[i] : i;
      }
      if (last < (real)INFINITY && last > high) high = last;
    }
    least[item] = low;
    greatest[item] = high;
    place[item] = where;
  }
  join_limits(least, greatest, place);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

/* An island's least and greatest finite cost, its best individual, which is kept where none was as good before, and
 * whether the run is to end here. sections: how many the island has, or 0. */
static inline __attribute__((always_inline)) void summarise_island(
    global volatile const element* population, global volatile const real* costs, global real* limits,
    global element* best, global volatile uint* marks, global const real* numbers,
    global volatile const real* section_limits, global volatile const uint* section_places, genetic_settings run,
    uint generation, uint island, uint sections, local real* least, local real* greatest, local uint* place) {
  const uint item = (uint)get_local_id(0);
  const uint begin = island * run.population;
  global real* own = limits + island * GENETIC_LIMITS;
  global volatile uint* own_marks = marks + GENETIC_MARKS + island * GENETIC_MARKS_EACH;
  const uint stopped = marks[GENETIC_STOP] < generation ? 1u : 0u;
  const real best_before = own[GENETIC_BEST];
  const uint first = island * sections;
  /* One call, since some compilers take no barriers in branches. */
  find_limits(sections != 0u ? section_limits + 2u * first : costs + begin,
              sections != 0u ? section_limits + 2u * first + 1u : costs + begin,
              sections != 0u ? section_places + first : 0, sections != 0u ? 2u : 1u,
              sections != 0u ? sections : run.population, least, greatest, place);
  if (stopped == 0u) {
    const uint better = generation == 0u || least[0] < best_before ? 1u : 0u;
    if (better != 0u)
      for (uint i = item; i < run.row; i += (uint)get_local_size(0))
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
  barrier(CLK_LOCAL_MEM_FENCE);
}

/* How many islands a work-group is to summarise at the end of a launch: all, if the launch `summarises` and it is the
 * last work-group to arrive here. No work-group waits. last: a word of the work-group. */
static inline __attribute__((always_inline)) uint islands_of_last_group(global volatile uint* marks,
                                                                        genetic_settings run, uint summarises,
                                                                        local uint* last) {
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    const uint before = atomic_inc(marks + GENETIC_ARRIVED);
    *last = before + 1u == (uint)get_num_groups(0) ? 1u : 0u;
    if (*last != 0u) marks[GENETIC_ARRIVED] = 0u;
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  return *last != 0u && summarises != 0u ? run.islands : 0u;
}

#endif
