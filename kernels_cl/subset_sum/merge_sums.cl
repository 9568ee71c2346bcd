/* Reached sums as an ascending list, in place of a bit for each capacity: an item merges the list with itself, moved up
 * by the weight. A work-item takes a part of the merge, found by its merge path (Odeh, Green, Mwassi, Shmueli and Birk,
 * "Merge path: parallel merging made simple", 2012). */
#include "common/launches.cl"
#include "shared/subset_sum/subset_sum.h"

/* How many of the first `step` sums of the merge are of the list itself; of two equal ones it is the first. */
static inline ulong merged_before(global const ulong* sums, ulong count, ulong moved, ulong weight, ulong step) {
  ulong low = step > moved ? step - moved : 0;
  ulong high = min(step, count);
  while (low < high) {
    const ulong middle = low + (high - low) / 2;
    if (sums[middle] <= sums[step - 1 - middle] + weight)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Whether the merge's next sum is of the list itself. */
static inline bool is_next(global const ulong* sums, ulong count, ulong moved, ulong weight, ulong without,
                           ulong with) {
  return without < count && (with >= moved || sums[without] <= sums[with] + weight);
}

/* Whether a sum that is moved up matters, and is none of the list's, of which `without` are merged. */
static inline bool is_new(global const ulong* sums, ulong sum, ulong low, ulong without) {
  return sum >= low && (without == 0 || sums[without - 1] != sum);
}

/* counts[i] = the sums that part i of the merge keeps: all `count` from sums[first] on, and of the first `moved` of
 * them, moved up, those that are new and not below `low`. launches: see common/launches.cl. Launched over parts from
 * `first_part` on, which are of SUBSET_SUM_MERGED sums. */
kernel void count_merged(global const ulong* sums, ulong first, ulong count, ulong moved, ulong weight, ulong low,
                         ulong first_part, global uint* counts, global uint* launches) {
  count_launch(launches);
  const ulong part = first_part + get_global_id(0);
  ulong step = part * SUBSET_SUM_MERGED;
  if (step >= count + moved) return;
  global const ulong* list = sums + first;
  ulong without = merged_before(list, count, moved, weight, step);
  ulong with = step - without;
  uint kept = 0;
  for (const ulong end = min(step + SUBSET_SUM_MERGED, count + moved); step < end; ++step) {
    if (is_next(list, count, moved, weight, without, with)) {
      ++without;
      ++kept;
    } else {
      kept += is_new(list, list[with] + weight, low, without) ? 1u : 0u;
      ++with;
    }
  }
  counts[part] = kept;
}

/* Of SUBSET_SUM_COUNTS counts, each becomes the sum of those before, and totals[i] that of all. launches: see
 * common/launches.cl. Launched over the totals. */
kernel void add_counts(global uint* counts, uint parts, global uint* totals, global uint* launches) {
  count_launch(launches);
  const uint first = (uint)get_global_id(0) * SUBSET_SUM_COUNTS;
  if (first >= parts) return;
  uint total = 0;
  for (uint part = first; part < min(first + SUBSET_SUM_COUNTS, parts); ++part) {
    const uint count = counts[part];
    counts[part] = total;
    total += count;
  }
  totals[get_global_id(0)] = total;
}

/* Merges as count_merged() counts: part i to merged[offsets[i / SUBSET_SUM_COUNTS] + counts[i]]. Each sum keeps the
 * item that reached it first; new ones get `item`. launches: see common/launches.cl. Launched over parts from
 * `first_part` on. */
kernel void merge_sums(global const ulong* sums, global const uint* items, global ulong* merged,
                       global uint* merged_items, ulong first, ulong count, ulong moved, ulong weight, ulong low,
                       uint item, ulong first_part, global const uint* counts, global const ulong* offsets,
                       global uint* launches) {
  count_launch(launches);
  const ulong part = first_part + get_global_id(0);
  ulong step = part * SUBSET_SUM_MERGED;
  if (step >= count + moved) return;
  global const ulong* list = sums + first;
  ulong without = merged_before(list, count, moved, weight, step);
  ulong with = step - without;
  ulong to = offsets[part / SUBSET_SUM_COUNTS] + counts[part];
  for (const ulong end = min(step + SUBSET_SUM_MERGED, count + moved); step < end; ++step) {
    if (is_next(list, count, moved, weight, without, with)) {
      merged[to] = list[without];
      merged_items[to++] = items[first + without];
      ++without;
    } else {
      const ulong sum = list[with] + weight;
      if (is_new(list, sum, low, without)) {
        merged[to] = sum;
        merged_items[to++] = item;
      }
      ++with;
    }
  }
}

/* places[i] = how many of the `count` sums are below wanted[i]. launches: see common/launches.cl. Launched over what is
 * wanted. */
kernel void find_sums(global const ulong* sums, ulong count, global const ulong* wanted, global ulong* places,
                      global uint* launches) {
  count_launch(launches);
  const ulong sum = wanted[get_global_id(0)];
  ulong low = 0;
  for (ulong high = count; low < high;) {
    const ulong middle = low + (high - low) / 2;
    if (sums[middle] < sum)
      low = middle + 1;
    else
      high = middle;
  }
  places[get_global_id(0)] = low;
}
