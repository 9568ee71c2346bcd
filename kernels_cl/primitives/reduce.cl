/* Reductions of integers. `number` is uint, ulong, int or long; `wide` is the type of 64 bits with its sign. */
#include "common/reduce.cl"
#include "common/sections.cl"
#include "shared/order.h"

#define NUMBER_IS_SIGNED ((number)-1 < (number)1)
#define NUMBER_SIGN ((ulong)1 << (8 * sizeof(number) - 1))

static inline number largest_number(void) { return NUMBER_IS_SIGNED ? (number)(NUMBER_SIGN - 1) : (number)-1; }
static inline number smallest_number(void) { return NUMBER_IS_SIGNED ? (number)NUMBER_SIGN : (number)0; }
static inline number number_of_key(ulong key) { return (number)(key ^ (NUMBER_IS_SIGNED ? (ulong)1 << 63 : 0)); }

/* sums[g] = the sum of section g, modulo 2^64; 0 for an empty one. */
kernel SUBGROUP_REQUIRE void sum(global const number* values, global wide* sums, ulong count, ulong section) {
  SUBGROUP_BEGIN(sg, PRIMITIVES_GROUP_SIZE);
  local ulong parts[PRIMITIVES_GROUP_SIZE];
  const ulong end = section_end(count, section);
  ulong own = 0;
  for (ulong i = section_begin(count, section) + get_local_id(0); i < end; i += get_local_size(0))
    own += (ulong)values[i];
  const ulong all = group_reduce_add_ulong(sg, own, parts);
  if (get_local_id(0) == 0) sums[get_group_id(0)] = (wide)all;
}

/* The sum of sums, by one work-group. */
kernel SUBGROUP_REQUIRE void sum_of_sections(global const wide* sums, global wide* total, ulong sections) {
  SUBGROUP_BEGIN(sg, PRIMITIVES_GROUP_SIZE);
  local ulong parts[PRIMITIVES_GROUP_SIZE];
  ulong own = 0;
  for (ulong i = get_local_id(0); i < sections; i += get_local_size(0)) own += (ulong)sums[i];
  const ulong all = group_reduce_add_ulong(sg, own, parts);
  if (get_local_id(0) == 0) total[0] = (wide)all;
}

/* counts[g] = how many bits are 1 in section g. */
kernel SUBGROUP_REQUIRE void population_count(global const number* values, global wide* counts, ulong count,
                                              ulong section) {
  SUBGROUP_BEGIN(sg, PRIMITIVES_GROUP_SIZE);
  local ulong parts[PRIMITIVES_GROUP_SIZE];
  const ulong end = section_end(count, section);
  ulong own = 0;
  for (ulong i = section_begin(count, section) + get_local_id(0); i < end; i += get_local_size(0))
    own += (ulong)popcount(values[i]);
  const ulong all = group_reduce_add_ulong(sg, own, parts);
  if (get_local_id(0) == 0) counts[get_group_id(0)] = (wide)all;
}

/* least[g] = the minimum of section g; the largest number for an empty one. */
kernel SUBGROUP_REQUIRE void minimum(global const number* values, global number* least, ulong count, ulong section) {
  SUBGROUP_BEGIN(sg, PRIMITIVES_GROUP_SIZE);
  local ulong parts[PRIMITIVES_GROUP_SIZE];
  const ulong end = section_end(count, section);
  ulong own = order_key(largest_number());
  for (ulong i = section_begin(count, section) + get_local_id(0); i < end; i += get_local_size(0))
    own = min(own, order_key(values[i]));
  const ulong all = group_reduce_min_ulong(sg, own, parts);
  if (get_local_id(0) == 0) least[get_group_id(0)] = number_of_key(all);
}

/* greatest[g] = the maximum of section g; the smallest number for an empty one. */
kernel SUBGROUP_REQUIRE void maximum(global const number* values, global number* greatest, ulong count, ulong section) {
  SUBGROUP_BEGIN(sg, PRIMITIVES_GROUP_SIZE);
  local ulong parts[PRIMITIVES_GROUP_SIZE];
  const ulong end = section_end(count, section);
  ulong own = order_key(smallest_number());
  for (ulong i = section_begin(count, section) + get_local_id(0); i < end; i += get_local_size(0))
    own = max(own, order_key(values[i]));
  const ulong all = group_reduce_max_ulong(sg, own, parts);
  if (get_local_id(0) == 0) greatest[get_group_id(0)] = number_of_key(all);
}
