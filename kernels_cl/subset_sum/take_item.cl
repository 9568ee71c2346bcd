/* One item over a range of capacities, on the vector g itself (paper, chapter 5.2, algorithm 13). */
#include "common/launches.cl"
#include "shared/subset_sum/subset_sum.h"

/* The method k1: g[k] = item for `capacities` k from `first_capacity` on, which is at least the weight, where the item
 * is the first to reach k. Capacities that a step writes cannot disturb it: a fresh g is not below the item.
 * launches: see common/launches.cl. Launched over the capacities. */
kernel void take_item(global volatile uint* g, ulong first_capacity, ulong capacities, ulong weight, uint item,
                      global uint* launches) {
  count_launch(launches);
  const ulong index = get_global_id(0);
  if (index >= capacities) return;
  const ulong k = first_capacity + index;
  if (reached_first(g[k], g[k - weight], item)) g[k] = item;
}
