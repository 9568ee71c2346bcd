/* Asks a device whether its work-groups can meet. Every work-item writes a number of its own, the group crosses, and
 * each reads what a work-item of another group wrote before it crossed.
 *
 * outcome: [0] whether a group gave up, [1] wrong numbers read, [2] groups that crossed all barriers; 0 at first.
 * numbers: 3 a work-item: a group may be two steps ahead of one that still reads.
 */
#include "common/barrier.cl"

static inline uint barrier_number(uint step, uint group, uint item) { return step * 2654435761u ^ group << 12 ^ item; }

/* What each work-item writes in a step. */
static inline global volatile uint* barrier_place(global volatile uint* numbers, uint step, uint group, uint item) {
  const uint size = (uint)get_local_size(0);
  return numbers + ((ulong)(step % 3u) * get_num_groups(0) + group) * size + item;
}

/* Reads the number that another group wrote in a step and counts it if it is wrong. Another item's, so that an arrival
 * reported before all items are there shows. */
static inline void barrier_check(global volatile uint* numbers, global volatile uint* outcome, uint step, uint group) {
  const uint item = (uint)(get_local_size(0) - 1 - get_local_id(0));
  if (*barrier_place(numbers, step, group, item) != barrier_number(step, group, item)) atomic_inc(outcome + 1);
}

kernel void barrier_xiao_feng_probe(global volatile uint* numbers, global volatile uint* arrived,
                                    global volatile uint* released, global volatile uint* outcome, uint steps,
                                    uint most_polls) {
  local volatile uint open;
  const barrier_limits limits = {outcome, &open, most_polls};
  const uint group = (uint)get_group_id(0);
  const uint item = (uint)get_local_id(0);
  const uint next = (uint)((group + 1) % get_num_groups(0));
  for (uint step = 1; step <= steps; ++step) {
    *barrier_place(numbers, step, group, item) = barrier_number(step, group, item);
    if (barrier_xiao_feng(arrived, released, step, limits) == 0) return;
    barrier_check(numbers, outcome, step, next);
  }
  if (item == 0) atomic_inc(outcome + 2);
}

kernel void barrier_cyclic_probe(global volatile uint* numbers, global volatile uint* clock,
                                 global volatile uint* outcome, uint steps, uint most_polls) {
  local volatile uint open;
  const barrier_limits limits = {outcome, &open, most_polls};
  const uint group = (uint)get_group_id(0);
  const uint item = (uint)get_local_id(0);
  for (uint step = 1; step <= steps; ++step) {
    *barrier_place(numbers, step, group, item) = barrier_number(step, group, item);
    if (barrier_cyclic(clock, limits) == 0) return;
    if (group != 0)
      barrier_check(numbers, outcome, step, group - 1);
    else if (step > 1)
      barrier_check(numbers, outcome, step - 1, (uint)get_num_groups(0) - 1);
  }
  barrier_cyclic_leave(clock);
  if (item == 0) atomic_inc(outcome + 2);
}

/* The same work without a barrier: in one launch of many steps, or in a launch a step. */
kernel void barrier_none_probe(global volatile uint* numbers, uint steps) {
  const uint group = (uint)get_group_id(0);
  const uint item = (uint)get_local_id(0);
  for (uint step = 1; step <= steps; ++step)
    *barrier_place(numbers, step, group, item) = barrier_number(step, group, item);
}
