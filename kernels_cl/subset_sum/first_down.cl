/* Recovery of the subset from a bit vector that was kept on the way (a checkpoint): which items lead from a sum that it
 * does not hold down to one that it does. */
#include "common/launches.cl"
#include "shared/subset_sum/bits.h"

#define BITS (8u * (uint)sizeof(word))

/* Whether a vector holds a capacity. It knows those from `first` to `last`; `offset` is the word that holds `first`,
 * which is a multiple of a word's bits. */
static inline bool holds(global const word* reached, ulong offset, ulong first, ulong last, ulong capacity) {
  if (capacity < first || capacity > last) return false;
  return (reached[offset + (capacity - first) / BITS] >> (uint)(capacity % BITS) & 1) != 0;
}

/* Which item brings a sum down to a capacity that is reached: *found = the least of the `count` items from `item` on,
 * counted from there, if it is below *found. reached: see holds(); launches: see
 * common/launches.cl. Launched over the items. */
kernel void first_item_down(global const word* reached, global const ulong* weights, global uint* found, ulong offset,
                            ulong first_known, ulong last_known, ulong sum, uint item, uint count,
                            global uint* launches) {
  count_launch(launches);
  const uint i = (uint)get_global_id(0);
  if (i >= count || weights[item + i] > sum) return;
  if (holds(reached, offset, first_known, last_known, sum - weights[item + i])) atomic_min(found, i);
}

/* The same for subsets: *found = the least of the `count` numbers from `begin` on whose subset, bit j for the item
 * `item` + j, brings the sum down to a capacity that is reached, if it is below *found. Of all subsets it is the one
 * whose last item is the earliest, then whose last but one is, and so on: the one that a walk back from the sum by the
 * paper's g would take. Launched over the numbers. */
kernel void first_subset_down(global const word* reached, global const ulong* weights, global uint* found, ulong offset,
                              ulong first_known, ulong last_known, ulong sum, uint item, uint begin, uint count,
                              global uint* launches) {
  count_launch(launches);
  const ulong index = get_global_id(0);
  if (index >= count) return;
  ulong rest = sum;
  for (uint subset = begin + (uint)index; subset != 0; ++item, subset >>= 1) {
    if ((subset & 1) == 0) continue;
    if (weights[item] > rest) return;
    rest -= weights[item];
  }
  if (holds(reached, offset, first_known, last_known, rest)) atomic_min(found, begin + (uint)index);
}
