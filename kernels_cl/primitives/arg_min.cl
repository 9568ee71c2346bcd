/* Where the smallest or the largest value stands. `number` is uint, ulong, int, long, float or double. */
#include "common/reduce.cl"
#include "common/sections.cl"
#include "shared/order.h"

/* The first of a work-group's ranks, then of the indices that have it. */
#define ARG_MIN_OF_GROUP(sg, rank, index, parts, best, best_index) \
  const ulong best = group_reduce_min_ulong(sg, rank, parts);      \
  const ulong best_index = group_reduce_min_ulong(sg, (rank) == best ? (index) : ORDER_LAST, parts)

/* ranks[g], indices[g] = the least rank (shared/order.h) in section g and the first index that has it; the last rank
 * and index 2^64-1 for an empty section. */
kernel SUBGROUP_REQUIRE void arg_min(global const number* values, global ulong* ranks, global ulong* indices,
                                     ulong count, ulong section, uint largest_first) {
  SUBGROUP_BEGIN(sg, PRIMITIVES_GROUP_SIZE);
  local ulong parts[PRIMITIVES_GROUP_SIZE];
  const ulong end = section_end(count, section);
  ulong rank = ORDER_LAST;
  ulong index = ORDER_LAST;
  for (ulong i = section_begin(count, section) + get_local_id(0); i < end; i += get_local_size(0)) {
    const ulong candidate = order_rank(values[i], largest_first);
    /* The last rank is a value's, too: then any index is before none. */
    if (candidate < rank || index == ORDER_LAST) {
      rank = candidate;
      index = i;
    }
  }
  ARG_MIN_OF_GROUP(sg, rank, index, parts, best, best_index);
  if (get_local_id(0) == 0) {
    ranks[get_group_id(0)] = best;
    indices[get_group_id(0)] = best_index;
  }
}

/* index[0] = the first index of the least rank among the sections', by one work-group. */
kernel SUBGROUP_REQUIRE void arg_min_of_sections(global const ulong* ranks, global const ulong* indices,
                                                 global ulong* index, ulong sections) {
  SUBGROUP_BEGIN(sg, PRIMITIVES_GROUP_SIZE);
  local ulong parts[PRIMITIVES_GROUP_SIZE];
  ulong rank = ORDER_LAST;
  ulong first = ORDER_LAST;
  for (ulong i = get_local_id(0); i < sections; i += get_local_size(0)) {
    if (ranks[i] < rank || (ranks[i] == rank && indices[i] < first)) {
      rank = ranks[i];
      first = indices[i];
    }
  }
  ARG_MIN_OF_GROUP(sg, rank, first, parts, best, best_index);
  if (get_local_id(0) == 0) index[0] = best_index;
}
