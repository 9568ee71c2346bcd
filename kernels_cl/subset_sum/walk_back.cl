/* Recovery of the subset from the vector g. */

/* Walks back from a sum: takes the item that reached it first, goes on with the rest, until 0 (chapter 3.3). Writes
 * the items from 1, and how many they are; stops with most + 1 when they are more than `most`, which no sweep leaves. */
kernel void walk_back(global const uint* first_item, global const ulong* weights, global uint* items, global uint* count,
                    ulong sum, uint most) {
  if (get_global_id(0) != 0) return;
  uint taken = 0;
  while (sum != 0 && taken <= most) {
    const uint item = first_item[sum];
    if (item == 0 || item > most || weights[item - 1] > sum || taken == most) {
      taken = most + 1;
      break;
    }
    items[taken++] = item;
    sum -= weights[item - 1];
  }
  *count = taken;
}
