/* Dynamic programming over capacities as bits (paper, chapter 5.4, algorithms 17 to 21). */
#include "common/launches.cl"
#include "shared/subset_sum/bits.h"
#include "shared/subset_sum/subset_sum.h"

#define WORDS_PER_ITEM (SUBSET_SUM_BYTES_PER_ITEM / (uint)sizeof(word))
#define BITS (8u * (uint)sizeof(word))

/* One item, for `words` words from `first_word` on: after = before | before moved up by the weight, which is
 * `whole_words` words and `shift` bits. A capacity that is new is reached by this item first: first_item[capacity] =
 * item. Items count from 1; for item 0, first_item is left alone.
 *
 * Two vectors swapped between steps take the place of the paper's buffer and its flush (algorithm 21): words outside
 * the item's range keep what they were two steps ago, which later ranges never read. A work-item takes several
 * words, a work-group apart so that neighbours read neighbours, and asks for all of them before it uses the first.
 * launches: see common/launches.cl. Launched over sweep_range(), or fewer work-groups, which then continue behind the
 * last. */
kernel void sweep_bits(global const word* restrict before, global word* restrict after, global uint* first_item,
                       ulong first_word, ulong words, ulong whole_words, uint shift, uint item, global uint* launches) {
  count_launch(launches);
  const ulong group_words = (ulong)get_local_size(0) * WORDS_PER_ITEM;
  for (ulong base = get_group_id(0) * group_words + get_local_id(0); base < words;
       base += get_num_groups(0) * group_words) {
    word reached[WORDS_PER_ITEM];
    word high[WORDS_PER_ITEM];
    word low[WORDS_PER_ITEM];
#pragma unroll
    for (uint i = 0; i < WORDS_PER_ITEM; ++i) {
      const ulong index = base + i * get_local_size(0);
      const ulong x = first_word + index;
      reached[i] = index < words ? before[x] : 0;
      high[i] = index < words && x >= whole_words ? before[x - whole_words] : 0;
      low[i] = index < words && x > whole_words ? before[x - whole_words - 1] : 0;
    }
#pragma unroll
    for (uint i = 0; i < WORDS_PER_ITEM; ++i) {
      const ulong index = base + i * get_local_size(0);
      if (index >= words) continue;
      const ulong x = first_word + index;
      const word complementary = complementary_bits(high[i], low[i], shift);
      after[x] = reached[i] | complementary;
      for (word fresh = item != 0 ? complementary & ~reached[i] : 0; fresh != 0;) {
        const uint bit = BITS - 1u - (uint)clz(fresh);
        first_item[x * BITS + bit] = item;
        fresh ^= (word)1 << bit;
      }
    }
  }
}
