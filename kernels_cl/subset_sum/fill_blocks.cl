/* Capacities outside, items inside (paper, chapter 5.3, algorithms 15 and 16): a work-item takes a capacity and looks
 * for the first item that reaches it. Capacities of one block are looked at together, so that its items must weigh at
 * least as much as there are work-items; lighter ones are left to take_item. */
#include "common/barrier.cl"
#include "common/launches.cl"
#include "shared/subset_sum/subset_sum.h"

/* g[k] = the first of the items that reaches k, whose ranges begin at their weights or above. */
static inline void take_first_item(global volatile uint* g, global const sweep_step* steps, uint step_count, ulong k) {
  for (uint i = 0; i < step_count; ++i) {
    if (k < steps[i].first || k > steps[i].last) continue;
    if (g[k - steps[i].weight] < i + 1) {
      g[k] = i + 1;
      return;
    }
  }
}

/* The method k2, one block, where work-groups cannot wait for each other: `capacities` from `first_capacity` on, no
 * more than the lightest of the items weighs. The steps' ranges begin at their weights or above. launches: see
 * common/launches.cl. Launched over the capacities. */
kernel void fill_block(global volatile uint* g, global const sweep_step* steps, uint step_count, ulong first_capacity,
                       ulong capacities, global uint* launches) {
  count_launch(launches);
  if (get_global_id(0) < capacities) take_first_item(g, steps, step_count, first_capacity + get_global_id(0));
}

/* The method k2, block after block, of as many capacities as there are work-items. arrived, released: for each
 * work-group a word that is 0 at first. given_up: a word that is 0 at first; where work-groups could not wait for each
 * other, it is not 0 afterwards, and capacities were left out. most_polls: how often a work-item polls while it waits,
 * see common/barrier.cl. launches: see common/launches.cl. */
kernel void fill_blocks_xiao_feng(global volatile uint* g, global const sweep_step* steps, uint step_count,
                                  ulong first_capacity, ulong last_capacity, global volatile uint* arrived,
                                  global volatile uint* released, global volatile uint* given_up, uint most_polls,
                                  global uint* launches) {
  count_launch(launches);
  local volatile uint open;
  const barrier_limits limits = {given_up, &open, most_polls};
  uint goal = 0;
  for (ulong block = first_capacity; block <= last_capacity; block += get_global_size(0)) {
    if (block + get_global_id(0) <= last_capacity) take_first_item(g, steps, step_count, block + get_global_id(0));
    if (barrier_xiao_feng(arrived, released, ++goal, limits) == 0) return;
  }
}

/* The same with the cyclic barrier. clock: for each work-group a word that is 1 at first. */
kernel void fill_blocks_cyclic(global volatile uint* g, global const sweep_step* steps, uint step_count,
                               ulong first_capacity, ulong last_capacity, global volatile uint* clock,
                               global volatile uint* given_up, uint most_polls, global uint* launches) {
  count_launch(launches);
  local volatile uint open;
  const barrier_limits limits = {given_up, &open, most_polls};
  for (ulong block = first_capacity; block <= last_capacity; block += get_global_size(0)) {
    if (block + get_global_id(0) <= last_capacity) take_first_item(g, steps, step_count, block + get_global_id(0));
    if (barrier_cyclic(clock, limits) == 0) return;
  }
  barrier_cyclic_leave(clock);
}
