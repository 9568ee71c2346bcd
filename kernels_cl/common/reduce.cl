/* Reductions and scans over a work-group, from those of its sub-groups.
 *
 *   kernel SUBGROUP_REQUIRE void example(...) {
 *     SUBGROUP_BEGIN(sg, 256);
 *     local ulong parts[257];  // one more than the work-group has sub-groups, so of work-items at worst
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
 * There are none for floats: their sums would depend on the sub-groups' width (see shared/objective/sum.h).
 */
#ifndef CLOPT_COMMON_REDUCE_CL
#define CLOPT_COMMON_REDUCE_CL

#include "common/subgroup.cl"

/* One work-item goes over the parts: on a GPU they are few, and a processor, whose sub-groups may be of one work-item,
 * runs the work-items one after the other. The first barrier lets the call before read its parts to the end. */
#define GROUP_REDUCE(name, type, combined)                                                      \
  static inline type group_reduce_##name##_##type(subgroup sg, type value, local type* parts) { \
    const type part = subgroup_reduce_##name##_##type(sg, value);                               \
    barrier(CLK_LOCAL_MEM_FENCE);                                                               \
    if (sg.lane == 0) parts[sg.index] = part;                                                   \
    barrier(CLK_LOCAL_MEM_FENCE);                                                               \
    if (get_local_id(0) == 0) {                                                                 \
      type left = parts[0];                                                                     \
      for (uint i = 1; i < sg.count; ++i) {                                                     \
        const type right = parts[i];                                                            \
        left = combined;                                                                        \
      }                                                                                         \
      parts[0] = left;                                                                          \
    }                                                                                           \
    barrier(CLK_LOCAL_MEM_FENCE);                                                               \
    return parts[0];                                                                            \
  }

#define GROUP_SCAN(type, arithmetic)                                                             \
  static inline type group_scan_exclusive_add_##type(subgroup sg, type value, local type* parts, \
                                                     private type* total) {                      \
    const type inclusive = subgroup_scan_inclusive_add_##type(sg, value);                        \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                \
    if (sg.lane == sg.size - 1u) parts[sg.index] = inclusive;                                    \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                \
    if (get_local_id(0) == 0) {                                                                  \
      arithmetic before = 0;                                                                     \
      for (uint i = 0; i < sg.count; ++i) {                                                      \
        const arithmetic part = (arithmetic)parts[i];                                            \
        parts[i] = (type)before;                                                                 \
        before += part;                                                                          \
      }                                                                                          \
      parts[sg.count] = (type)before;                                                            \
    }                                                                                            \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                \
    *total = parts[sg.count];                                                                    \
    return (type)((arithmetic)parts[sg.index] + (arithmetic)inclusive - (arithmetic)value);      \
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
