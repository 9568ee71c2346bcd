/* Dynamic programming over capacities as bits (paper, chapter 5.4, algorithms 17 to 21). */
#include "shared/subset_sum_bits.h"

/* One item, for the words from `first` on: after = before | before moved up by the weight. A capacity that is new is
 * reached by this item first: first_item[capacity] = item.
 *
 * Two vectors swapped between steps take the place of the paper's buffer and its flush (algorithm 21): words outside
 * the item's range keep what they were two steps ago, which later ranges never look at. */
kernel void sweep_bits(global const word* restrict before, global word* restrict after, global uint* first_item,
                       ulong first, ulong count, ulong whole_words, uint shift, uint item) {
  const ulong index = get_global_id(0);
  if (index >= count) return;
  const ulong x = first + index;
  const word reached = before[x];
  const word high = x >= whole_words ? before[x - whole_words] : 0;
  const word low = x > whole_words ? before[x - whole_words - 1] : 0;
  const word complementary = complementary_bits(high, low, shift);
  after[x] = reached | complementary;
  word fresh = complementary & ~reached;
  while (fresh != 0) {
    const uint bit = (uint)(8 * sizeof(word)) - 1u - (uint)clz(fresh);
    first_item[x * (8 * sizeof(word)) + bit] = item;
    fresh ^= (word)1 << bit;
  }
}
