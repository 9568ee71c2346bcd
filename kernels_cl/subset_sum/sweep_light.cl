/* Several light items of the sweep over capacities as bits in one launch, staged through local memory. */
#include "common/launches.cl"
#include "shared/subset_sum/subset_sum.h"
#include "shared/subset_sum/bits.h"

#define BITS (8u * (uint)sizeof(word))
#define WORDS_PER_ITEM (SUBSET_SUM_LIGHT_BYTES / (uint)sizeof(word))

/* Light items, for `words` words from `first_word` on: after = before with every subset of the `step_count` items from
 * steps[first_step] on. What an item is the first to reach is named `item` for the first of them, `item` + 1 for the
 * second, and so on, from the words of their own steps on; no capacity is named where `item` is 0.
 *
 * A work-group stages get_local_size(0) * WORDS_PER_ITEM words in `staged`, which holds twice as many: the words that
 * it writes and, beneath them, `halo` words on which they depend: each item spoils its whole words and one more, see
 * light_halo(). Every work-item stores at every step, since conditional stores to local memory go wrong on PoCL 3.1.
 * launches: see common/launches.cl. Launched over light_range(). */
kernel void sweep_light(global const word* restrict before, global word* restrict after, global uint* first_item,
                        global const sweep_step* steps, uint first_step, uint step_count, ulong first_word,
                        ulong words, uint halo, uint item, global uint* launches, local word* staged) {
  count_launch(launches);
  const uint size = get_local_size(0);
  const uint stage_words = size * WORDS_PER_ITEM;
  const uint me = get_local_id(0);
  /* Word j of the stage is word origin + j - halo of the vector. */
  const ulong origin = first_word + (ulong)get_group_id(0) * (stage_words - halo);
  const ulong end = first_word + words;
  for (uint j = me; j < stage_words; j += size) {
    const ulong x = origin + j;
    staged[j] = x >= halo && x - halo < end ? before[x - halo] : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < step_count; ++i) {
    const uint from = (i & 1u) * stage_words;
    const uint to = stage_words - from;
    const ulong weight = steps[first_step + i].weight;
    const uint whole_words = (uint)(weight / BITS);
    const ulong named_from = item != 0 ? max(steps[first_step + i].first / BITS, origin) : end;
#pragma unroll
    for (uint k = 0; k < WORDS_PER_ITEM; ++k) {
      const uint j = k * size + me;
      const word high = j >= whole_words ? staged[from + j - whole_words] : 0;
      const word low = j > whole_words ? staged[from + j - whole_words - 1] : 0;
      const word complementary = complementary_bits(high, low, (uint)(weight % BITS));
      const word reached = staged[from + j];
      staged[to + j] = reached | complementary;
      word fresh = complementary & ~reached;
      const ulong x = origin + j - halo;
      if (j < halo || x < named_from || x >= end) fresh = 0;
      while (fresh != 0) {
        const uint bit = BITS - 1u - (uint)clz(fresh);
        first_item[x * BITS + bit] = item + i;
        fresh ^= (word)1 << bit;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const uint last = (step_count & 1u) * stage_words;
  for (uint j = me; j < stage_words; j += size) {
    const ulong x = origin + j - halo;
    if (j >= halo && x < end) after[x] = staged[last + j];
  }
}
