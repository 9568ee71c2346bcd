/* Reductions and scans over a work-group, from those of its sub-groups.
 *
 *   kernel SUBGROUP_REQUIRE void example(...) {
 *     SUBGROUP_BEGIN(sg, 256);
 *     local ulong parts[256];  // at least as many as the work-group has sub-groups
 *     const ulong sum = group_reduce_add_ulong(sg, value, parts);
 *
 * For each type T of int, uint, long, ulong, and work-groups of any size in one dimension:
 *   T group_reduce_add_T / _min_T / _max_T(sg, T value, local T* parts)   the same in every work-item
 *   T group_scan_exclusive_add_T(sg, T value, local T* parts, private T* total)
 *       the sum of the values of the items before this one; total: of all
 *
 * Sums wrap around. All work-items of the work-group call each function together. No barrier is needed between calls
 * that share `parts`.
 *
 * There are none for floats: their sums would depend on the sub-groups' width (see primitives/ordered_sum.cl).
 */
#ifndef CLOPT_COMMON_REDUCE_CL
#define CLOPT_COMMON_REDUCE_CL

#include "common/subgroup.cl"

/* Every work-item goes over the parts by itself: they are few, and their number is no power of two where a sub-group
 * is wide or the work-group is odd. The first barrier lets the call before read its parts to the end. */
#define GROUP_REDUCE(name, type, combined)                                                      \
  static inline type group_reduce_##name##_##type(subgroup sg, type value, local type* parts) { \
    const type part = subgroup_reduce_##name##_##type(sg, value);                               \
    barrier(CLK_LOCAL_MEM_FENCE);                                                               \
    if (sg.lane == 0) parts[sg.index] = part;                                                   \
    barrier(CLK_LOCAL_MEM_FENCE);                                                               \
    type left = parts[0];                                                                       \
    for (uint i = 1; i < sg.count; ++i) {                                                       \
      const type right = parts[i];                                                              \
      left = combined;                                                                          \
    }                                                                                           \
    return left;                                                                                \
  }

#define GROUP_SCAN(type, arithmetic)                                                             \
  static inline type group_scan_exclusive_add_##type(subgroup sg, type value, local type* parts, \
                                                     private type* total) {                      \
    const type inclusive = subgroup_scan_inclusive_add_##type(sg, value);                        \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                \
    if (sg.lane == sg.size - 1u) parts[sg.index] = inclusive;                                    \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                \
    arithmetic before = 0;                                                                       \
    arithmetic all = 0;                                                                          \
    for (uint i = 0; i < sg.count; ++i) {                                                        \
      if (i == sg.index) before = all;                                                           \
      all += (arithmetic)parts[i];                                                               \
    }                                                                                            \
    *total = (type)all;                                                                          \
    return (type)(before + (arithmetic)inclusive - (arithmetic)value);                           \
  }

#define GROUP_FUNCTIONS(type, arithmetic)                               \
  GROUP_REDUCE(add, type, (type)((arithmetic)left + (arithmetic)right)) \
  GROUP_REDUCE(min, type, right < left ? right : left)                  \
  GROUP_REDUCE(max, type, left < right ? right : left)                  \
  GROUP_SCAN(type, arithmetic)

GROUP_FUNCTIONS(int, uint)
GROUP_FUNCTIONS(uint, uint)
GROUP_FUNCTIONS(long, ulong)
GROUP_FUNCTIONS(ulong, ulong)

#endif
