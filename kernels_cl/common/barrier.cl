/* Barriers over the work-groups of one launch (subset-sum paper, section 2.1.6). All groups must be resident: a group
 * that has not begun cannot arrive while others occupy the device. OpenCL C promises nothing here, so a kernel that
 * uses them runs only where lib/device/verification/barrier.hpp found that they work, and every wait is bounded: a
 * group that polled too often gives up, which all others notice, and the kernel ends with its `given_up` set.
 *
 * Ordinary reads may be served from a cache of the compute unit that no fence empties. What one group writes for
 * another goes through `volatile`, as the barriers' own words do.
 */
#ifndef CLOPT_COMMON_BARRIER_CL
#define CLOPT_COMMON_BARRIER_CL

/* How long to wait, and which groups gave up. */
typedef struct {
  global volatile uint* given_up; /* 0 at first */
  local volatile uint* open;      /* a word of the work-group */
  uint most_polls;                /* of one work-item at one barrier */
} barrier_limits;

/* Polls a word until it is one of two values; 0 where it gave up. Others' surrender is looked for now and then, so that
 * one wait of full length is enough for all. */
static inline uint barrier_wait_for(global volatile uint* word, uint one, uint other, barrier_limits limits) {
  for (uint polls = 0; polls < limits.most_polls; ++polls) {
    const uint seen = *word;
    if (seen == one || seen == other) return 1;
    if ((polls & 63u) == 0 && *limits.given_up != 0) return 0;
  }
  *limits.given_up = 1;
  return 0;
}

/* Xiao and Feng's lock-free barrier (algorithm 2) with the paper's two corrections: no group reports its arrival before
 * all its work-items are here, and their writes are fenced.
 * arrived, released: a word a group, other than `goal` at first. goal: another one at every barrier.
 * Returns whether it was crossed, the same in every work-item of a group; a group that was refused leaves the kernel.
 */
static inline uint barrier_xiao_feng(global volatile uint* arrived, global volatile uint* released, uint goal,
                                     barrier_limits limits) {
  const uint group = (uint)get_group_id(0);
  const uint groups = (uint)get_num_groups(0);
  const uint item = (uint)get_local_id(0);
  mem_fence(CLK_GLOBAL_MEM_FENCE); /* correction 1 */
  if (item == 0) *limits.open = 1;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* correction 2 */
  if (item == 0) arrived[group] = goal;
  /* One group watches all arrivals, a work-item each; the paper's restriction to groups with as many work-items as
   * there are groups is lifted by watching several in turn. */
  const uint watches = group == min(1u, groups - 1u);
  for (uint other = item; watches != 0 && other < groups; other += (uint)get_local_size(0))
    if (barrier_wait_for(arrived + other, goal, goal, limits) == 0) *limits.open = 0;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  /* Met by all groups: some compilers take no barrier in a branch, even one that a whole group takes. */
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (uint other = item; watches != 0 && *limits.open != 0 && other < groups; other += (uint)get_local_size(0))
    released[other] = goal;
  if (item == 0 && barrier_wait_for(released + group, goal, goal, limits) == 0) *limits.open = 0;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  const uint crossed = *limits.open;
  barrier(CLK_LOCAL_MEM_FENCE); /* the next barrier sets the word again */
  return crossed;
}

/* The paper's cyclic barrier (algorithms 3 and 4): less than a barrier, for work where step t of a group needs step t
 * of the groups before it, and group 0 needs step t - 1 of all. A group crosses after the group before it did; group 0
 * after the last group crossed the barrier before.
 * clock: a word a group, all alike and not 0 at first. 0 says that the group has left: see barrier_cyclic_leave().
 * Algorithm 4 has the other groups read the last group's clock, where it must be the one before theirs.
 * Returns whether it was crossed, as barrier_xiao_feng() does. */
static inline uint barrier_cyclic(global volatile uint* clock, barrier_limits limits) {
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    const uint group = (uint)get_group_id(0);
    const uint before = group == 0 ? (uint)get_num_groups(0) - 1u : group - 1u;
    const uint now = clock[group];
    const uint next = now + 1u == 0 ? 1u : now + 1u; /* 0 is not a time */
    /* A stopped clock never blocks. */
    const uint crossed = now == 0 ? 1u : barrier_wait_for(clock + before, group == 0 ? now : next, 0, limits);
    if (crossed != 0 && now != 0) {
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      clock[group] = clock[before] == 0 ? 0 : next;
    }
    *limits.open = crossed;
  }
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  const uint crossed = *limits.open;
  barrier(CLK_LOCAL_MEM_FENCE);
  return crossed;
}

/* Takes the group out of the cycle once its work is done: the others stop waiting, one after the other. */
static inline void barrier_cyclic_leave(global volatile uint* clock) {
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) clock[get_group_id(0)] = 0;
}

#endif
