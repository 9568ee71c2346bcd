/* What the host and the kernels agree on for meeting in the middle of four lists (Schroeppel and Shamir, SIAM Journal
 * on Computing 10(3), 1981).
 *
 * x is a sum of the first half of the items, y one of the second half. Each half has an outer and an inner list of
 * subset sums, ascending and without doubles; a sum of the half is one of each. The best pair has the least slack,
 * capacity - x - y, that is not negative, and among those the least x: one pair of values, in whatever order pairs are
 * looked at.
 *
 * Ranges of x are searched slice by slice. Within a slice that begins at b and spans s values, x stands for x - b and
 * u for capacity - b - y, both below s: a pair's slack is u - x.
 */
#ifndef CLOPT_SHARED_SUBSET_SUM_MEET_H
#define CLOPT_SHARED_SUBSET_SUM_MEET_H

#include "shared/language.h"

/* The largest work-group of the search, which bounds its local memory. */
#define MEET_GROUP_SIZE 256
/* The most values of a slice. */
#define MEET_LONGEST ((ulong)1 << 62)

CLOPT_SHARED_BEGIN

/* The capacity, and the sizes of the lists. */
struct meet_lists {
  ulong capacity;
  uint first_outer;
  uint first_inner;
  uint second_outer;
  uint second_inner;
};
typedef struct meet_lists meet_lists;

/* A range of x, from begin to last, and how far its search has come. */
struct meet_range {
  ulong begin; /* x below it are done */
  ulong last;
  ulong span;  /* how many values the next slice takes, at most; 0: the range is done */
  ulong slack; /* of the best pair known, in any range; before there is one, 1 more than a pair may have */
  ulong x;     /* of the best pair known; before there is one, 0 */
};
typedef struct meet_range meet_range;

/* How slices are searched. */
struct meet_shape {
  uint sums;         /* of a half in a slice, about */
  uint lane_bits;    /* work-items that go through an inner list together for one outer sum, as a power of two */
  uint filter_bits;  /* bits of the filter for x, as a power of two */
  uint kept;         /* the most u that may pass it; more make the slice shorter */
  uint kept_bits;    /* bits of the filter for them, as a power of two */
  uint sums_an_item; /* the most sums of a half for a work-item, at least its outer sums; more make the slice shorter */
  uint slices;       /* of each range that one launch searches, at most */
};
typedef struct meet_shape meet_shape;

/* Whether a pair is better than another: 1 or 0. */
CLOPT_SHARED uint meet_is_better(ulong slack, ulong x, ulong than_slack, ulong than_x) {
  return slack < than_slack || (slack == than_slack && x < than_x) ? 1u : 0u;
}

/* Whether no x from `begin` on can be in a better pair. */
CLOPT_SHARED uint meet_is_decided(ulong begin, ulong slack, ulong x) { return slack == 0 && x <= begin ? 1u : 0u; }

/* How many values the next slice of a range takes. */
CLOPT_SHARED ulong meet_slice(meet_range range) {
  if (range.span == 0) return 0;
  const ulong rest = range.last - range.begin;
  return rest < range.span ? rest + 1 : range.span;
}

/* The most slack of a better pair within a slice of an undecided range. */
CLOPT_SHARED ulong meet_width(meet_range range, ulong slice) {
  const ulong width = range.begin < range.x ? range.slack : range.slack - 1;
  return min(width, slice - 1);
}

/* A span for as many sums as are wanted, after one that had `sums`. */
CLOPT_SHARED ulong meet_next_span(ulong span, ulong sums, ulong wanted) {
  if (sums > wanted) return span - span / 4;
  if (sums <= wanted / 2) return min(2 * span, MEET_LONGEST);
  return sums <= wanted - wanted / 4 ? min(span + span / 4, MEET_LONGEST) : span;
}

/* A range behind the slice that was searched. */
CLOPT_SHARED meet_range meet_advance(meet_range range, ulong slice, ulong next_span) {
  const uint ends = range.last - range.begin < slice ? 1u : 0u;
  range.begin += slice;
  range.span = ends != 0 || meet_is_decided(range.begin, range.slack, range.x) != 0 ? 0 : next_span;
  return range;
}

CLOPT_SHARED uint meet_bits_of(ulong value) { return 64u - (uint)clz(value); }

/* Values are marked in a filter by their keys, value >> shift. As a key has more values than the width, the key of a
 * partner is the same or the next. Coarser keys seldom make the two differ, finer ones distinguish more values. */
CLOPT_SHARED uint meet_key_shift(ulong width, ulong slice, uint filter_bits) {
  const uint finest = meet_bits_of(width);
  const uint all = meet_bits_of(slice);
  const uint coarsest = all - min(all, filter_bits + 4);
  return min(max(coarsest, finest), finest + 6);
}

/* Its two highest groups of filter bits are the places of a key in a filter. Sums have structure: what differs in any
 * bits of the key differs here. */
CLOPT_SHARED ulong meet_hash(ulong key) {
  const ulong mixed = key * 0x9E3779B97F4A7C15ul;
  return (mixed ^ (mixed >> 32)) * 0xD1342543DE82EF95ul;
}
CLOPT_SHARED uint meet_first_place(ulong hash, uint filter_bits) { return (uint)(hash >> (64u - filter_bits)); }
CLOPT_SHARED uint meet_second_place(ulong hash, uint filter_bits) {
  return (uint)(hash >> (64u - 2 * filter_bits)) & ((1u << filter_bits) - 1u);
}

CLOPT_SHARED_END

#endif
