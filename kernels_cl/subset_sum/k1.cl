/* One item over a range of capacities, on the vector g itself (paper, chapter 5.2, algorithm 13). */
#include "shared/subset_sum/subset_sum.h"

/* g[k] = item where the item reaches k first. Capacities that a step writes cannot disturb it: a fresh g is not below
 * the item. */
kernel void take_item(global volatile uint* g, ulong first, ulong count, ulong weight, uint item) {
  const ulong index = get_global_id(0);
  if (index >= count) return;
  const ulong k = first + index;
  if (reached_first(g[k], g[k - weight], item)) g[k] = item;
}
