/* One item of a 0-1 knapsack over all capacities: the layout of the paper's method k1 (chapter 5.2), with the most
 * profit within a capacity in place of the first item. */
#include "common/launches.cl"

/* after[k] = the most profit within capacity k of the items before and this one, for k up to `last`. Those before have
 * theirs in before[0] to before[known]; beyond, it stays the same. At most `known` + `weight` is reached.
 * launches: see common/launches.cl. Launched over the capacities. */
kernel void take_profit(global const word* restrict before, global word* restrict after, ulong known, ulong last,
                        ulong weight, word profit, global uint* launches) {
  count_launch(launches);
  const ulong k = get_global_id(0);
  if (k > last) return;
  const word without = before[min(k, known)];
  after[k] = k < weight ? without : max(without, (word)(before[k - weight] + profit));
}
