/* Two items of the sweep over capacities as bits in one launch. */
#include "shared/subset_sum.h"
#include "shared/subset_sum_bits.h"

#define BITS (8u * (uint)sizeof(word))

/* A word of the vector moved up. Where all words beneath are there, nothing need be compared. */
static word moved(global const word* restrict vector, uint x, sweep_move by, uint all_there) {
  if (all_there != 0) return complementary_bits(vector[x - by.words], vector[x - by.words - 1], by.bits);
  return complementary_bits(x >= by.words ? vector[x - by.words] : 0, x > by.words ? vector[x - by.words - 1] : 0,
                            by.bits);
}

static void name_capacities(global uint* first_item, uint x, word fresh, uint item) {
  while (fresh != 0) {
    const uint bit = BITS - 1u - (uint)clz(fresh);
    first_item[(ulong)x * BITS + bit] = item;
    fresh ^= (word)1 << bit;
  }
}

/* by_both: by the weights of both. Numbers of words have 32 bits here: numbers of 64 bits take a third of the time.
 *
 * For `count` words from `first` on: after = before with either weight, both or neither. What only the first of the two
 * items reaches is named `item`, what needs the second `item` + 1, each from its own word on; no capacity is named where
 * `item` is 0. As the vector is read once and written once for two items, half the bytes of two launches move. */
kernel void sweep_pair(global const word* restrict before, global word* restrict after, global uint* first_item,
                       uint first, uint count, sweep_move by_first, sweep_move by_second, sweep_move by_both,
                       uint named_from, uint second_named_from, uint item) {
  const uint index = (uint)get_global_id(0);
  if (index >= count) return;
  const uint x = first + index;
  const uint all_there = first > by_both.words ? 1 : 0;
  const word reached = before[x];
  const word with_first = moved(before, x, by_first, all_there);
  const word with_second = moved(before, x, by_second, all_there) | moved(before, x, by_both, all_there);
  const word between = reached | with_first;
  after[x] = between | with_second;
  if (item == 0) return;
  if (x >= named_from) name_capacities(first_item, x, with_first & ~reached, item);
  if (x >= second_named_from) name_capacities(first_item, x, with_second & ~between, item + 1);
}
