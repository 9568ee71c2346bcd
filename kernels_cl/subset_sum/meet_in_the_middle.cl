/* Meeting in the middle of four lists: see shared/subset_sum/meet.h. */
#include "common/reduce.cl"
#include "shared/subset_sum/meet.h"

/* How many values of an ascending list, of at least one, are below a value, or, with at_most, at most it. */
static inline uint values_below(global const ulong* list, uint size, ulong value, uint at_most) {
  uint below = 0;
  for (uint step = 1u << (31u - (uint)clz(size)); step != 0; step >>= 1) {
    if (below + step > size) continue;
    const ulong last = list[below + step - 1u];
    if (last < value || (at_most != 0 && last == value)) below += step;
  }
  return below;
}

/* Where each range begins in the inner lists, for each outer sum of the first half, then of the second: the first inner
 * sum that makes at least begin; the number of inner sums that make at most capacity - begin. Launched over the outer
 * sums and, in the second dimension, the ranges. */
kernel void meet_place(global const ulong* first_outer, global const ulong* first_inner,
                       global const ulong* second_outer, global const ulong* second_inner, meet_lists lists,
                       global const meet_range* ranges, global uint* places) {
  const uint i = (uint)get_global_id(0);
  const uint outers = lists.first_outer + lists.second_outer;
  const ulong begin = ranges[get_global_id(1)].begin;
  global uint* own = places + get_global_id(1) * outers;
  if (i >= outers) return;
  if (i < lists.first_outer) {
    const ulong outer = first_outer[i];
    own[i] = outer < begin ? values_below(first_inner, lists.first_inner, begin - outer, 0) : 0;
  } else {
    const ulong outer = second_outer[i - lists.first_outer];
    const ulong most = lists.capacity - begin;
    own[i] = outer <= most ? values_below(second_inner, lists.second_inner, most - outer, 1) : 0;
  }
}

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

/* The next slice of each range, by one work-group. places: see meet_place; they go along. filter, kept_filter: a word
 * for 32 bits; kept: the u that passed; next: a word for each outer sum. The work-group's size is a power of two.
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
  const uint lane = item & (lanes - 1u);
  const uint first_run = item >> shape.lane_bits;
  const uint runs = items >> shape.lane_bits;
  const meet_range range = ranges[get_group_id(0)];
  global uint* x_places = places + (ulong)get_group_id(0) * (lists.first_outer + lists.second_outer);
  global uint* y_places = x_places + lists.first_outer;
  local uint* next_x = next;
  local uint* next_y = next + lists.first_outer;

  const ulong slice = meet_slice(range);
  const uint x_runs = slice != 0 ? lists.first_outer : 0;
  const uint y_runs = slice != 0 ? lists.second_outer : 0;
  const ulong width = slice != 0 ? meet_width(range, slice) : 0;
  const uint shift = meet_key_shift(width, slice, shape.filter_bits);

  for (uint i = item; i < 1u << (shape.filter_bits - 5u); i += items) filter[i] = 0;
  for (uint i = item; i < 1u << (shape.kept_bits - 5u); i += items) kept_filter[i] = 0;
  if (item == 0) passed = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  uint xs = 0;
  ulong x_end = 0; /* 1 more than the largest x, or 0 */
  for (uint run = first_run; run < x_runs; run += runs) {
    const uint place = x_places[run];
    const ulong base = first_outer[run] - range.begin; /* modulo 2^64 */
    if (lane == 0 && (place >= lists.first_inner || base + first_inner[place] >= slice)) next_x[run] = place;
    for (uint p = place + lane; p < lists.first_inner && xs <= shape.sums_an_item; p += lanes) {
      const ulong x = base + first_inner[p];
      if (x >= slice) break;
      if (p + 1u == lists.first_inner || base + first_inner[p + 1u] >= slice) next_x[run] = p + 1u;
      mark(filter, shape.filter_bits, x >> shift);
      if ((x + width) >> shift != x >> shift) mark(filter, shape.filter_bits, (x + width) >> shift);
      x_end = max(x_end, x + 1u);
      ++xs;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  uint us = 0;
  ulong beyond = ~(ulong)0; /* the least u behind the slice */
  for (uint run = first_run; run < y_runs; run += runs) {
    const uint place = y_places[run];
    const ulong base = lists.capacity - range.begin - second_outer[run];
    if (lane == 0 && (place == 0 || base - second_inner[place - 1u] >= slice)) next_y[run] = place;
    for (uint p = lane; p < place && us <= shape.sums_an_item; p += lanes) {
      const ulong u = base - second_inner[place - 1u - p];
      if (u >= slice) {
        beyond = min(beyond, u);
        break;
      }
      if (p + 1u == place || base - second_inner[place - 2u - p] >= slice) next_y[run] = place - 1u - p;
      if (is_marked(filter, shape.filter_bits, u >> shift) != 0) {
        const uint slot = atomic_inc(&passed);
        if (slot < shape.kept) {
          kept[slot] = u;
          mark(kept_filter, shape.kept_bits, u >> shift);
        }
      }
      ++us;
    }
  }

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
  const uint kept_count = too_long != 0 ? 0 : min(passed, shape.kept);
  for (uint run = first_run; run < x_runs && kept_count != 0; run += runs) {
    const uint end = next_x[run];
    const ulong base = first_outer[run] - range.begin;
    for (uint p = x_places[run] + lane; p < end; p += lanes) {
      const ulong x = base + first_inner[p];
      uint may = is_marked(kept_filter, shape.kept_bits, x >> shift);
      if ((x + width) >> shift != x >> shift) may |= is_marked(kept_filter, shape.kept_bits, (x + width) >> shift);
      for (uint i = 0; may != 0 && i < kept_count; ++i) {
        const ulong found = kept[i] - x; /* beyond the width where u is below x */
        if (found <= width && meet_is_better(found, range.begin + x, slack, best_x) != 0) {
          slack = found;
          best_x = range.begin + x;
        }
      }
    }
  }
  const ulong least = group_reduce_min_ulong(sg, slack, parts);
  const ulong least_x = group_reduce_min_ulong(sg, slack == least ? best_x : ~(ulong)0, parts);

  /* All have read the places and the range. */
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (uint i = item; i < x_runs && too_long == 0; i += items) x_places[i] = next_x[i];
  for (uint i = item; i < y_runs && too_long == 0; i += items) y_places[i] = next_y[i];
  if (item == 0 && slice != 0) {
    meet_range after = range;
    after.slack = least;
    after.x = least_x;
    if (too_long != 0) {
      after.span = max(slice / 4, (ulong)1);
    } else {
      ulong next_span = meet_next_span(range.span, sums, shape.sums);
      if (passed > shape.kept / 2) next_span = min(next_span, range.span);
      after = meet_advance(after, slice, next_span);
    }
    ranges[get_group_id(0)] = after;
  }
}
