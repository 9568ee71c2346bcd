/* Recovery of the subset from the vector g. */
#include "shared/subset_sum/subset_sum.h"

/* Walks back from the sum *rest: takes the item that reached it first, continues with the rest, until 0 (chapter 3.3).
 * Adds the items, from 1, to the *taken that were taken before, SUBSET_SUM_WALK of them at most in one launch: the host
 * launches again while *rest is not 0. *taken = most + 1 where an item is met that no sweep leaves there. */
kernel void walk_back(global const uint* first_item, global const ulong* weights, global uint* items,
                      global uint* taken, global ulong* rest, uint most) {
  if (get_global_id(0) != 0) return;
  ulong sum = *rest;
  uint count = *taken;
  for (uint step = 0; step < SUBSET_SUM_WALK && sum != 0; ++step) {
    const uint item = first_item[sum];
    if (item == 0 || item > most || weights[item - 1] > sum || count == most) {
      count = most + 1;
      sum = 0;
    } else {
      items[count++] = item;
      sum -= weights[item - 1];
    }
  }
  *rest = sum;
  *taken = count;
}
