/* Two items of the sweep over capacities as bits in one launch. */
#include "common/launches.cl"
#include "shared/subset_sum/subset_sum.h"
#include "shared/subset_sum/bits.h"

#define BITS (8u * (uint)sizeof(word))

/* A word of the vector moved up by a weight. */
static word moved(global const word* restrict vector, ulong x, ulong weight) {
  const ulong whole_words = weight / BITS;
  const word high = x >= whole_words ? vector[x - whole_words] : 0;
  const word low = x > whole_words ? vector[x - whole_words - 1] : 0;
  return complementary_bits(high, low, (uint)(weight % BITS));
}

/* Work-items with more new bits than these have their work-group name them together. */
#define FEW_BITS 4u

static void name_capacities(global uint* first_item, ulong x, word fresh, uint item) {
  while (fresh != 0) {
    const uint bit = BITS - 1u - (uint)clz(fresh);
    first_item[x * BITS + bit] = item;
    fresh ^= (word)1 << bit;
  }
}

/* Names the new capacities of a work-group's words, of which this work-item has word x. Where words have many,
 * neighbours name neighbouring capacities: one by one, each work-item would write into memory of its own, a line at a
 * time.
 * staged: three words for each work-item and one more. All work-items of the group call it. */
static void name_together(global uint* first_item, ulong x, word fresh, word second_fresh, uint item,
                          local word* staged) {
  const uint size = (uint)get_local_size(0);
  const uint me = (uint)get_local_id(0);
  const word both = fresh | second_fresh;
  staged[me] = fresh;
  staged[size + me] = second_fresh;
  staged[2 * size + me] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  /* The first of the last words is 1 where some work-item has many; each has a word of its own otherwise. */
  staged[2 * size + (popcount(both) > FEW_BITS ? 0 : 1 + me)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (staged[2 * size] == 0) {
    name_capacities(first_item, x, fresh, item);
    name_capacities(first_item, x, second_fresh, item + 1);
    return;
  }
  const ulong first_capacity = (x - me) * BITS;
  for (uint k = me; k < size * BITS; k += size) {
    if (staged[k / BITS] >> (k % BITS) & 1) first_item[first_capacity + k] = item;
    if (staged[size + k / BITS] >> (k % BITS) & 1) first_item[first_capacity + k] = item + 1;
  }
}

/* Two items, for `words` words from `first_word` on: after = before with either weight, both or neither. What only the
 * first of the two items reaches is named `item`, counted from 1, what needs the second `item` + 1: the first from the
 * word `named_from` on, the second from `second_named_from` on. Nothing is named where NAMED is 0. As the vector is
 * read once and written once for two items, half the bytes of two launches move. staged: pair_words(), three for each
 * work-item and one more. launches: see common/launches.cl. Built with pair_program(), launched over the words. */
kernel void sweep_pair(global const word* restrict before, global word* restrict after, global uint* first_item,
                       ulong first_word, ulong words, ulong weight, ulong second_weight, ulong named_from,
                       ulong second_named_from, uint item, global uint* launches, local word* staged) {
  count_launch(launches);
  const ulong index = get_global_id(0);
  const ulong x = first_word + index;
  word fresh = 0;
  word second_fresh = 0;
  if (index < words) {
    const word reached = before[x];
    const word with_first = moved(before, x, weight);
    const word with_second = moved(before, x, second_weight) | moved(before, x, weight + second_weight);
    const word between = reached | with_first;
    after[x] = between | with_second;
    if (x >= named_from) fresh = with_first & ~reached;
    if (x >= second_named_from) second_fresh = with_second & ~between;
  }
#if NAMED == SUBSET_SUM_NAMED_TOGETHER
  name_together(first_item, x, fresh, second_fresh, item, staged);
#elif NAMED == SUBSET_SUM_NAMED_EACH
  name_capacities(first_item, x, fresh, item);
  name_capacities(first_item, x, second_fresh, item + 1);
#endif
}
