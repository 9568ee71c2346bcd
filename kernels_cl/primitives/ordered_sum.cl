/* Sums of floating-point numbers that have the same bits everywhere. `number` is float or double. */
#include "shared/ordered_sum.h"

/* sums[g] = the tree (shared/ordered_sum.h) over the g-th ORDERED_SUM_VALUES * work-group size values. The work-group's
 * size is a power of two; tree: a number for each work-item. */
kernel void ordered_sum(global const number* values, global number* sums, ulong count, local number* tree) {
  const uint item = (uint)get_local_id(0);
  const ulong first = get_global_id(0) * ORDERED_SUM_VALUES;
  number own[ORDERED_SUM_VALUES];
  for (uint i = 0; i < ORDERED_SUM_VALUES; ++i)
    own[i] = first + i < count ? values[first + i] : (number)ORDERED_SUM_ABSENT;
  tree[item] = sum_of_four(own[0], own[1], own[2], own[3]) + sum_of_four(own[4], own[5], own[6], own[7]);
  barrier(CLK_LOCAL_MEM_FENCE);
  /* Every work-item adds, without a branch that PoCL 3.1 would compile wrongly here; only the sums of those whose index
   * is a multiple of 2 * offset count, and only they are read again. */
  const uint last = (uint)get_local_size(0) - 1;
  for (uint offset = 1; offset <= last; offset <<= 1) {
    const number sum = tree[item] + tree[(item + offset) & last];
    barrier(CLK_LOCAL_MEM_FENCE);
    tree[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) sums[get_group_id(0)] = tree[0];
}
