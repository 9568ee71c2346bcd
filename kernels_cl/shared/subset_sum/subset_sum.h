/* What the host and the kernels of subset-sum agree on. */
#ifndef CLOPT_SHARED_SUBSET_SUM_H
#define CLOPT_SHARED_SUBSET_SUM_H

#include "shared/language.h"

/* Bytes of the bit vector that a work-item of the sweep takes. On an H200, in capacities a second: 1.05e13 with 16,
 * 1.02e13 with 8 and 32, 9.1e12 with 64, all in words of 64 bits; 8.2e12 with one word of 32 bits. */
#define SUBSET_SUM_BYTES_PER_ITEM 16u

/* Bytes of the bit vector that a work-item stages in local memory, twice over, where one launch takes several light
 * items: 40 KiB for a work-group of 256. */
#define SUBSET_SUM_LIGHT_BYTES 80u

/* How a pair of items names new capacities: each work-item its own, without barriers, or the work-group together. */
#define SUBSET_SUM_NAMED_EACH 1
#define SUBSET_SUM_NAMED_TOGETHER 2

/* Items that one launch of the walk back takes: few enough for devices that end long loops. */
#define SUBSET_SUM_WALK 16384u

/* Sums that a work-item merges of two lists, and parts of such whose counts are added up together. */
#define SUBSET_SUM_MERGED 64u
#define SUBSET_SUM_COUNTS 256u

CLOPT_SHARED_BEGIN

/* An item's part of a sweep: its weight, and the first and last capacity that it may newly reach (chapter 4.2). */
struct sweep_step {
  ulong weight;
  ulong first;
  ulong last;
};
typedef struct sweep_step sweep_step;

/* Whether an item is the first to reach a capacity (chapter 3.5.1): 1 or 0.
 * capacity: g(k); complementary: g(k - w_i), where g(0) = 0. */
CLOPT_SHARED uint reached_first(uint capacity, uint complementary, uint item) {
  return capacity > item && complementary < item ? 1u : 0u;
}

CLOPT_SHARED_END

#endif
