/* Meeting in the middle of four lists: the search of slices. See shared/subset_sum/meet.h. */
#include "common/reduce.cl"
#include "shared/subset_sum/meet.h"

static inline void mark(local uint* filter, uint bits, ulong key) {
  const ulong hash = meet_hash(key);
  const uint first = meet_first_place(hash, bits);
  const uint second = meet_second_place(hash, bits);
  atomic_or(filter + first / 32, 1u << first % 32);
  atomic_or(filter + second / 32, 1u << second % 32);
}

static inline uint is_marked(local const uint* filter, uint bits, ulong key) {
  const ulong hash = meet_hash(key);
  const uint first = meet_first_place(hash, bits);
  const uint second = meet_second_place(hash, bits);
  return (filter[first / 32] >> first % 32) & (filter[second / 32] >> second % 32) & 1u;
}

/* The outer sums that a work-item goes through, and its part of their inner lists: `lanes` work-items share an outer
 * sum. */
typedef struct {
  uint first_run;
  uint runs;
  uint lane;
  uint lanes;
} meet_share;

/* One half of the items within a slice: its lists, where the slice begins in the inner list for each outer sum, and
 * where the next slice will. */
typedef struct {
  global const ulong* outer;
  global const ulong* inner;
  uint outers; /* 0 where the range is done */
  uint inners;
  global const uint* places;
  local uint* next;
} meet_half;

/* A slice of a range: x and u below its size are in it, and partners are no farther apart than the width. */
typedef struct {
  ulong begin;
  ulong size;
  ulong width;
  uint shift; /* of the filters' keys */
} meet_part;

/* Whether a value, or a partner of it with the next key, is marked. */
static inline uint may_have_partner(local const uint* filter, uint bits, meet_part part, ulong x) {
  uint may = is_marked(filter, bits, x >> part.shift);
  if ((x + part.width) >> part.shift != x >> part.shift)
    may |= is_marked(filter, bits, (x + part.width) >> part.shift);
  return may;
}

/* Marks the x of a slice in the filter. *end: 1 more than the largest x, or 0. Returns how many x this work-item met,
 * or 1 more than it may meet. */
static inline uint mark_x(meet_half side, meet_share share, meet_part part, meet_shape shape, local uint* filter,
                          private ulong* end) {
  uint xs = 0;
  ulong x_end = 0;
  for (uint run = share.first_run; run < side.outers; run += share.runs) {
    const uint place = side.places[run];
    const ulong base = side.outer[run] - part.begin; /* modulo 2^64 */
    if (share.lane == 0 && (place >= side.inners || base + side.inner[place] >= part.size)) side.next[run] = place;
    for (uint p = place + share.lane; p < side.inners && xs <= shape.sums_an_item; p += share.lanes) {
      const ulong x = base + side.inner[p];
      if (x >= part.size) break;
      if (p + 1u == side.inners || base + side.inner[p + 1u] >= part.size) side.next[run] = p + 1u;
      mark(filter, shape.filter_bits, x >> part.shift);
      if ((x + part.width) >> part.shift != x >> part.shift)
        mark(filter, shape.filter_bits, (x + part.width) >> part.shift);
      x_end = max(x_end, x + 1u);
      ++xs;
    }
  }
  *end = x_end;
  return xs;
}

/* The u that passed the filter. */
typedef struct {
  local uint* filter; /* of the u that are kept */
  local ulong* values;
  local uint* passed; /* how many passed; some may not have been kept */
} meet_kept;

/* Keeps the u of a slice that pass the filter of x. capacity: less the slice's begin. *beyond: the least u behind the
 * slice. Returns how many u this work-item met, or 1 more than it may meet. */
static inline uint keep_u(meet_half side, meet_share share, meet_part part, meet_shape shape, ulong capacity,
                          local const uint* filter, meet_kept kept, private ulong* beyond) {
  uint us = 0;
  ulong least = ~(ulong)0;
  for (uint run = share.first_run; run < side.outers; run += share.runs) {
    const uint place = side.places[run];
    const ulong base = capacity - side.outer[run];
    if (share.lane == 0 && (place == 0 || base - side.inner[place - 1u] >= part.size)) side.next[run] = place;
    for (uint p = share.lane; p < place && us <= shape.sums_an_item; p += share.lanes) {
      const ulong u = base - side.inner[place - 1u - p];
      if (u >= part.size) {
        least = min(least, u);
        break;
      }
      if (p + 1u == place || base - side.inner[place - 2u - p] >= part.size) side.next[run] = place - 1u - p;
      if (is_marked(filter, shape.filter_bits, u >> part.shift) != 0) {
        const uint slot = atomic_inc(kept.passed);
        if (slot < shape.kept) {
          kept.values[slot] = u;
          mark(kept.filter, shape.kept_bits, u >> part.shift);
        }
      }
      ++us;
    }
  }
  *beyond = least;
  return us;
}

/* Goes through the x once more, and meets each with the `count` u that are kept. *slack, *best_x: the best pair. */
static inline void meet_kept_u(meet_half side, meet_share share, meet_part part, meet_shape shape, meet_kept kept,
                               uint count, private ulong* slack, private ulong* best_x) {
  for (uint run = share.first_run; run < side.outers && count != 0; run += share.runs) {
    const uint end = side.next[run];
    const ulong base = side.outer[run] - part.begin;
    for (uint p = side.places[run] + share.lane; p < end; p += share.lanes) {
      const ulong x = base + side.inner[p];
      const uint may = may_have_partner(kept.filter, shape.kept_bits, part, x);
      for (uint i = 0; may != 0 && i < count; ++i) {
        const ulong found = kept.values[i] - x; /* beyond the width where u is below x */
        if (found <= part.width && meet_is_better(found, part.begin + x, *slack, *best_x) != 0) {
          *slack = found;
          *best_x = part.begin + x;
        }
      }
    }
  }
}

/* The range behind a slice that had `sums` sums of a half; or, where it was too long, with a shorter slice to come. */
static inline meet_range range_after(meet_range range, meet_part part, meet_shape shape, uint sums, uint passed,
                                     uint too_long) {
  if (too_long != 0) {
    range.span = max(part.size / 4, (ulong)1);
    return range;
  }
  const ulong span = meet_next_span(range.span, sums, shape.sums);
  return meet_advance(range, part.size, passed > shape.kept / 2 ? min(span, range.span) : span);
}

/* Searches the next slice of each range, by one work-group of a power of two work-items for each; or up to shape.slices
 * slices, where a launch is a call. A range ends up with the best pair of what was searched and of what it knew before,
 * and further on or with a smaller span; how far it comes in one launch is the device's business. places: see
 * meet_place; they go along. filter, kept_filter: a word for 32 bits. kept: the u that passed. next: a word for each
 * outer sum.
 *
 * No sum is stored: x are marked in a filter, u that pass it are kept, and x are gone through once more where a u was
 * kept. Where one work-item met too many sums, or too many u passed, the range stays where it is and its next slice is
 * shorter. A slice of one value is never too long: each outer sum makes that value once at most. */
kernel SUBGROUP_REQUIRE void meet_search(global const ulong* first_outer, global const ulong* first_inner,
                                         global const ulong* second_outer, global const ulong* second_inner,
                                         meet_lists lists, global meet_range* ranges, global uint* places,
                                         meet_shape shape, local uint* filter, local uint* kept_filter,
                                         local ulong* kept, local uint* next) {
  SUBGROUP_BEGIN(sg, MEET_GROUP_SIZE);
  local ulong parts[MEET_GROUP_SIZE + 1];
  local uint passed;
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint lanes = 1u << shape.lane_bits;
  const meet_share share = {item >> shape.lane_bits, items >> shape.lane_bits, item & (lanes - 1u), lanes};
  const meet_range range = ranges[get_group_id(0)];
  global uint* x_places = places + (ulong)get_group_id(0) * (lists.first_outer + lists.second_outer);
  global uint* y_places = x_places + lists.first_outer;

  const ulong slice = meet_slice(range);
  const ulong width = slice != 0 ? meet_width(range, slice) : 0;
  const meet_part part = {range.begin, slice, width, meet_key_shift(width, slice, shape.filter_bits)};
  const uint x_runs = slice != 0 ? lists.first_outer : 0;
  const uint y_runs = slice != 0 ? lists.second_outer : 0;
  const meet_half first = {first_outer, first_inner, x_runs, lists.first_inner, x_places, next};
  const meet_half second = {second_outer, second_inner,      y_runs, lists.second_inner,
                            y_places,     next + lists.first_outer};
  const meet_kept passing = {kept_filter, kept, &passed};

  for (uint i = item; i < 1u << (shape.filter_bits - 5u); i += items) filter[i] = 0;
  for (uint i = item; i < 1u << (shape.kept_bits - 5u); i += items) kept_filter[i] = 0;
  if (item == 0) passed = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  ulong x_end;
  const uint xs = mark_x(first, share, part, shape, filter, &x_end);
  barrier(CLK_LOCAL_MEM_FENCE);
  ulong beyond;
  const uint us = keep_u(second, share, part, shape, lists.capacity - range.begin, filter, passing, &beyond);

  /* Of the whole work-group: the largest x, the least u behind the slice; sums of the half that has more. */
  x_end = group_reduce_max_ulong(sg, x_end, parts);
  beyond = group_reduce_min_ulong(sg, beyond, parts);
  const ulong too_many = (ulong)(xs > shape.sums_an_item || us > shape.sums_an_item ? 1u : 0u);
  const ulong counts = group_reduce_add_ulong(sg, too_many << 48 | (ulong)us << 24 | (ulong)xs, parts);
  const uint sums = max((uint)(counts & 0xFFFFFFu), (uint)(counts >> 24) & 0xFFFFFFu);
  const uint too_long = (counts >> 48) != 0 || (passed > shape.kept && slice > 1) ? 1u : 0u;

  /* Every x of the slice goes with every u behind it, best the largest with the least. */
  ulong slack = range.slack;
  ulong best_x = range.x;
  if (too_long == 0 && x_end != 0 && beyond != ~(ulong)0 &&
      meet_is_better(beyond - (x_end - 1u), range.begin + (x_end - 1u), slack, best_x) != 0) {
    slack = beyond - (x_end - 1u);
    best_x = range.begin + (x_end - 1u);
  }
  meet_kept_u(first, share, part, shape, passing, too_long != 0 ? 0 : min(passed, shape.kept), &slack, &best_x);
  const ulong least = group_reduce_min_ulong(sg, slack, parts);
  const ulong least_x = group_reduce_min_ulong(sg, slack == least ? best_x : ~(ulong)0, parts);

  /* All have read the places and the range. */
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (uint i = item; i < x_runs && too_long == 0; i += items) x_places[i] = first.next[i];
  for (uint i = item; i < y_runs && too_long == 0; i += items) y_places[i] = second.next[i];
  if (item == 0 && slice != 0) {
    meet_range after = range;
    after.slack = least;
    after.x = least_x;
    ranges[get_group_id(0)] = range_after(after, part, shape, sums, passed, too_long);
  }
}
