/* Prefix sums of `number`, uint or ulong, modulo its size: reduce, scan the sections' sums, scan each section. */
#include "common/reduce.cl"
#include "common/sections.cl"

/* sums[g] = the sum of section g. */
kernel SUBGROUP_REQUIRE void scan_sums(global const number* values, global number* sums, ulong count, ulong section) {
  SUBGROUP_BEGIN(sg, PRIMITIVES_GROUP_SIZE);
  local ulong parts[PRIMITIVES_GROUP_SIZE];
  const ulong end = section_end(count, section);
  ulong own = 0;
  for (ulong i = section_begin(count, section) + get_local_id(0); i < end; i += get_local_size(0)) own += values[i];
  const ulong all = group_reduce_add_ulong(sg, own, parts);
  if (get_local_id(0) == 0) sums[get_group_id(0)] = (number)all;
}

/* Turns the sums of the sections into the sum of all sections before each, by one work-group. */
kernel SUBGROUP_REQUIRE void scan_sections(global number* sums, ulong sections) {
  SUBGROUP_BEGIN(sg, PRIMITIVES_GROUP_SIZE);
  local ulong parts[PRIMITIVES_GROUP_SIZE];
  ulong before = 0;
  /* Every work-item makes every round, whether it has an element or not: they meet in the scan. */
  for (ulong begin = 0; begin < sections; begin += get_local_size(0)) {
    const ulong i = begin + get_local_id(0);
    ulong all;
    const ulong here = group_scan_exclusive_add_ulong(sg, i < sections ? (ulong)sums[i] : 0, parts, &all);
    if (i < sections) sums[i] = (number)(before + here);
    before += all;
  }
}

/* results[i] = the sum of the values before i, with value i itself if `inclusive`; total[0] = the sum of all.
 * sums[g]: the sum of all sections before g; not looked at for a single section. results may be values. */
kernel SUBGROUP_REQUIRE void scan(global const number* values, global const number* sums, global number* results,
                                  global number* total, ulong count, ulong section, uint inclusive) {
  SUBGROUP_BEGIN(sg, PRIMITIVES_GROUP_SIZE);
  local ulong parts[PRIMITIVES_GROUP_SIZE];
  const ulong end = section_end(count, section);
  ulong before = get_num_groups(0) > 1 ? (ulong)sums[get_group_id(0)] : 0;
  for (ulong begin = section_begin(count, section); begin < end; begin += get_local_size(0)) {
    const ulong i = begin + get_local_id(0);
    const ulong value = i < end ? (ulong)values[i] : 0;
    ulong all;
    const ulong here = group_scan_exclusive_add_ulong(sg, value, parts, &all);
    if (i < end) results[i] = (number)(before + here + (inclusive != 0 ? value : 0));
    before += all;
  }
  if (get_local_id(0) == 0 && get_group_id(0) == get_num_groups(0) - 1) total[0] = (number)before;
}
