/* Meeting in the middle of four lists: where ranges begin in the lists. See shared/subset_sum/meet.h. */
#include "common/launches.cl"
#include "shared/subset_sum/meet.h"

/* How many values of an ascending list, of at least one, are below a value, or, with at_most, at most it. */
static inline uint values_below(global const ulong* list, uint size, ulong value, uint at_most) {
  uint below = 0;
  for (uint step = 1u << (31u - (uint)clz(size)); step != 0; step >>= 1) {
    if (below + step > size) continue;
    const ulong last = list[below + step - 1u];
    if (last < value || (at_most != 0 && last == value)) below += step;
  }
  return below;
}

/* Where each range begins in the inner lists, for each outer sum of the first half, then of the second: the first inner
 * sum that makes at least begin; the number of inner sums that make at most capacity - begin. Launched over the outer
 * sums and, in the second dimension, the ranges. places: one for each range and outer sum; launches: see
 * common/launches.cl. */
kernel void meet_place(global const ulong* first_outer, global const ulong* first_inner,
                       global const ulong* second_outer, global const ulong* second_inner, meet_lists lists,
                       global const meet_range* ranges, global uint* places, global uint* launches) {
  count_launch(launches);
  const uint i = (uint)get_global_id(0);
  const uint outers = lists.first_outer + lists.second_outer;
  const ulong begin = ranges[get_global_id(1)].begin;
  global uint* own = places + get_global_id(1) * outers;
  if (i >= outers) return;
  if (i < lists.first_outer) {
    const ulong outer = first_outer[i];
    own[i] = outer < begin ? values_below(first_inner, lists.first_inner, begin - outer, 0) : 0;
  } else {
    const ulong outer = second_outer[i - lists.first_outer];
    const ulong most = lists.capacity - begin;
    own[i] = outer <= most ? values_below(second_inner, lists.second_inner, most - outer, 1) : 0;
  }
}
