/* Two items of the sweep over capacities as bits in one launch. */
#include "shared/subset_sum.h"
#include "shared/subset_sum_bits.h"

#define BITS (8u * (uint)sizeof(word))

/* A word of the vector moved up by a weight. */
static word moved(global const word* restrict vector, ulong x, ulong weight) {
  const ulong whole_words = weight / BITS;
  const word high = x >= whole_words ? vector[x - whole_words] : 0;
  const word low = x > whole_words ? vector[x - whole_words - 1] : 0;
  return complementary_bits(high, low, (uint)(weight % BITS));
}

static void name_capacities(global uint* first_item, ulong x, word fresh, uint item) {
  while (fresh != 0) {
    const uint bit = BITS - 1u - (uint)clz(fresh);
    first_item[x * BITS + bit] = item;
    fresh ^= (word)1 << bit;
  }
}

/* For `count` words from `first` on: after = before with either weight, both or neither. What only the first of the two
 * items reaches is named `item`, what needs the second `item` + 1, each from its own word on; no capacity is named where
 * `item` is 0. As the vector is read once and written once for two items, half the bytes of two launches move. */
kernel void sweep_pair(global const word* restrict before, global word* restrict after, global uint* first_item,
                       ulong first, ulong count, ulong weight, ulong second_weight, ulong named_from,
                       ulong second_named_from, uint item) {
  const ulong index = get_global_id(0);
  if (index >= count) return;
  const ulong x = first + index;
  const word reached = before[x];
  const word with_first = moved(before, x, weight);
  const word with_second = moved(before, x, second_weight) | moved(before, x, weight + second_weight);
  const word between = reached | with_first;
  after[x] = between | with_second;
  if (item == 0) return;
  if (x >= named_from) name_capacities(first_item, x, with_first & ~reached, item);
  if (x >= second_named_from) name_capacities(first_item, x, with_second & ~between, item + 1);
}
