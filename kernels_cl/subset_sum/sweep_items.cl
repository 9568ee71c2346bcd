/* Several items a launch, for devices that run work-items one after the other: the vector in place, by one work-item.
 * A word is read before it is written where words are taken downwards (the paper's buffer is not needed). */
typedef ulong word;

#include "common/launches.cl"
#include "shared/subset_sum/subset_sum.h"
#include "shared/subset_sum/bits.h"

#define BITS 64u

/* A word of the vector with an item taken. */
static inline ulong taken_word(global const ulong* reached, ulong x, ulong weight) {
  const ulong whole_words = weight / BITS;
  const ulong high = x >= whole_words ? reached[x - whole_words] : 0;
  const ulong low = x > whole_words ? reached[x - whole_words - 1] : 0;
  return reached[x] | complementary_bits(high, low, (uint)(weight % BITS));
}

/* Items one after the other, on a vector in place, by one work-item: `step_count` steps from steps[first_step] on.
 * first_item[capacity] = the item that reaches a capacity first: its step's number, from 1. launches: see
 * common/launches.cl. Launched with one work-item. */
kernel void sweep_items(global ulong* reached, global uint* first_item, global const sweep_step* steps, uint first_step,
                        uint step_count, global uint* launches) {
  count_launch(launches);
  if (get_global_id(0) != 0) return;
  for (uint i = first_step; i < first_step + step_count; ++i) {
    const ulong begin = steps[i].first / BITS;
    for (ulong x = steps[i].last / BITS + 1; x-- > begin;) {
      const ulong before = reached[x];
      const ulong after = taken_word(reached, x, steps[i].weight);
      if (after == before) continue;
      reached[x] = after;
      for (ulong fresh = after & ~before; fresh != 0; fresh &= fresh - 1)
        first_item[x * BITS + (BITS - 1u - (uint)clz(fresh & (0 - fresh)))] = i + 1;
    }
  }
}

/* The same without names for what is new. */
kernel void reach_items(global ulong* reached, global const sweep_step* steps, uint first_step, uint step_count,
                        global uint* launches) {
  count_launch(launches);
  if (get_global_id(0) != 0) return;
  for (uint i = first_step; i < first_step + step_count; ++i) {
    const ulong begin = steps[i].first / BITS;
    for (ulong x = steps[i].last / BITS + 1; x-- > begin;) reached[x] = taken_word(reached, x, steps[i].weight);
  }
}
