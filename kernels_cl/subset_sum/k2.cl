/* Capacities outside, items inside (paper, chapter 5.3, algorithms 15 and 16): a work-item takes a capacity and looks
 * for the first item that reaches it. Capacities of one block are looked at together, so that its items must weigh at
 * least as much as there are work-items; lighter ones are left to k1. */
#include "common/barrier.cl"
#include "shared/subset_sum/subset_sum.h"

/* g[k] = the first of the items that reaches k, whose ranges begin at their weights or above. */
static inline void take_first_item(global volatile uint* g, global const sweep_step* steps, uint items, ulong k) {
  for (uint i = 0; i < items; ++i) {
    if (k < steps[i].first || k > steps[i].last) continue;
    if (g[k - steps[i].weight] < i + 1) {
      g[k] = i + 1;
      return;
    }
  }
}

/* One block, where work-groups cannot wait for each other. */
kernel void fill_block(global volatile uint* g, global const sweep_step* steps, uint items, ulong first, ulong count) {
  if (get_global_id(0) < count) take_first_item(g, steps, items, first + get_global_id(0));
}

/* Block after block, of as many capacities as there are work-items, from `first` to `last`. given_up: see
 * common/barrier.cl; arrived and released hold 0 at first, a clock 1. */
kernel void fill_blocks_xiao_feng(global volatile uint* g, global const sweep_step* steps, uint items, ulong first,
                                  ulong last, global volatile uint* arrived, global volatile uint* released,
                                  global volatile uint* given_up, uint most_polls) {
  local volatile uint open;
  const barrier_patience patience = {given_up, &open, most_polls};
  uint goal = 0;
  for (ulong block = first; block <= last; block += get_global_size(0)) {
    if (block + get_global_id(0) <= last) take_first_item(g, steps, items, block + get_global_id(0));
    if (barrier_xiao_feng(arrived, released, ++goal, patience) == 0) return;
  }
}

kernel void fill_blocks_cyclic(global volatile uint* g, global const sweep_step* steps, uint items, ulong first,
                               ulong last, global volatile uint* clock, global volatile uint* given_up,
                               uint most_polls) {
  local volatile uint open;
  const barrier_patience patience = {given_up, &open, most_polls};
  for (ulong block = first; block <= last; block += get_global_size(0)) {
    if (block + get_global_id(0) <= last) take_first_item(g, steps, items, block + get_global_id(0));
    if (barrier_cyclic(clock, patience) == 0) return;
  }
  barrier_cyclic_leave(clock);
}
