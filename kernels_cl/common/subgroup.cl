/* Sub-groups: one small interface for OpenCL C 1.2 kernels, whatever the device offers.
 *
 *   kernel SUBGROUP_REQUIRE void example(global const uint* values, global uint* sums) {
 *     SUBGROUP_BEGIN(sg, 256);  // declares sg; no work-group of this kernel may have more than 256 work-items
 *     sums[get_global_id(0)] = subgroup_reduce_add_uint(sg, values[get_global_id(0)]);
 *   }
 *
 * The shape, for one-dimensional work-groups of any size from 1 up:
 *   SUBGROUP_WIDTH  lanes of a full sub-group, at most 64. A constant where the program was compiled for one width.
 *   sg.count        sub-groups in this work-group: its size divided by the width, rounded up
 *   sg.index        this sub-group: get_local_id(0) / SUBGROUP_WIDTH
 *   sg.lane         this work-item in its sub-group: get_local_id(0) % SUBGROUP_WIDTH
 *   sg.size         lanes that exist in this sub-group: the width, or fewer in the last sub-group of the work-group
 *
 * The functions, for each type T of int, uint, long, ulong, float:
 *   T subgroup_shuffle_T(sg, T value, uint source)       the value of lane `source`
 *   T subgroup_shuffle_xor_T(sg, T value, uint mask)     the value of lane `lane ^ mask`
 *   T subgroup_shuffle_up_T(sg, T value, uint offset)    the value of lane `lane - offset` (offset below 2^31)
 *   T subgroup_shuffle_down_T(sg, T value, uint offset)  the value of lane `lane + offset` (offset below 2^31)
 *   T subgroup_broadcast_T(sg, T value, uint source)     the value of one existing lane, which all lanes name alike
 *   T subgroup_reduce_add_T / _min_T / _max_T(sg, T value)
 *   T subgroup_scan_inclusive_add_T / subgroup_scan_exclusive_add_T(sg, T value)
 * and on predicates, where any int other than 0 is true:
 *   ulong subgroup_ballot(sg, int predicate)             bit i: the predicate of lane i; 0 where there is no lane
 *   int subgroup_any / subgroup_all(sg, int predicate)   1 or 0
 *
 * What holds for every provider, so that results do not depend on it:
 *   - A shuffle whose source lane does not exist returns the caller's own value.
 *   - Reductions and scans are over the existing lanes. Integer sums wrap around.
 *   - Float sums have one order. A reduction is the binary tree over neighbours, ((v0+v1)+(v2+v3))+..., in which an
 *     absent lane leaves the other operand as it is. A scan is Kogge and Stone's: for offset 1, 2, 4, ... each lane
 *     takes v[lane-offset] + v[lane]; the exclusive scan is the inclusive one of the lane before, 0 in lane 0. (So the
 *     last lane's scan may differ from the reduction in its last bits.) Neither order depends on the width, only on
 *     the lanes that exist. min and max keep the tree's left operand where the two compare equal or unordered.
 *     (All this under #pragma OPENCL FP_CONTRACT OFF, lest a product that is summed goes into an fma.)
 *   - All work-items of the work-group call each function together and from the same place: never inside a branch or
 *     a loop that some of them leave earlier. (Emulation needs the whole work-group, as barrier() does; the others
 *     need the whole sub-group.)
 *   - No function orders accesses to memory, but for
 *       void subgroup_fence(sg)  what lanes wrote to local and global memory before is seen by the others behind it
 *
 * The program is compiled with one provider:
 *   CLOPT_SUBGROUP_KHR       cl_khr_subgroups, cl_khr_subgroup_shuffle and cl_khr_subgroup_ballot
 *   CLOPT_SUBGROUP_INTEL     cl_intel_subgroups
 *   CLOPT_SUBGROUP_PTX       NVIDIA, whose OpenCL announces no sub-groups but takes inline PTX (Volta and newer);
 *                            the width is 32
 *   CLOPT_SUBGROUP_EMULATED  local memory and barriers; the width is CLOPT_SUBGROUP_SIZE, a power of two up to 64
 * and, for KHR and INTEL,
 *   CLOPT_SUBGROUP_SIZE_REQUIRED=N  has the compiler make sub-groups of N lanes (cl_intel_required_subgroup_size);
 *                            without it the compiler chooses the width, kernel by kernel, and PoCL makes one sub-group
 *                            of the whole work-group, which may exceed the 64 lanes that are supported
 *   CLOPT_SUBGROUP_BUILTINS  has integers reduced and scanned by the device's own functions. Left out, they are made of
 *                            shuffles here, which also serves devices whose own functions are wrong.
 * A device's sub-groups are used only where all of subgroup_test.cl comes out right, emulation otherwise. PoCL 5.0's
 * fail: a partial sub-group claims the full size there, so that reductions take in lanes that do not exist.
 */
#ifndef CLOPT_COMMON_SUBGROUP_CL
#define CLOPT_COMMON_SUBGROUP_CL

#ifdef CLOPT_SUBGROUP_SIZE_REQUIRED
#define SUBGROUP_REQUIRE __attribute__((intel_reqd_sub_group_size(CLOPT_SUBGROUP_SIZE_REQUIRED)))
#else
#define SUBGROUP_REQUIRE
#endif

typedef struct {
  uint size;
  uint lane;
  uint index;
  uint count;
#ifdef CLOPT_SUBGROUP_EMULATED
  local ulong* values;
#endif
} subgroup;

/* A provider defines SUBGROUP_WIDTH, SUBGROUP_BEGIN and, for uint and ulong, subgroup_fetch_T(sg, value, source): the
 * value of an existing lane, from which the five shuffles of all types are made. What it does better itself, it says
 * by SUBGROUP_HAS_...
 */
#if defined(CLOPT_SUBGROUP_KHR) || defined(CLOPT_SUBGROUP_INTEL)

/* Only where the compiler knows the name, or it warns. The shuffle and ballot extensions need no pragma. */
#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif
#ifdef cl_intel_subgroups
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#endif

#ifdef CLOPT_SUBGROUP_SIZE_REQUIRED
#define SUBGROUP_WIDTH ((uint)CLOPT_SUBGROUP_SIZE_REQUIRED)
#else
#define SUBGROUP_WIDTH get_max_sub_group_size()
#endif

#define SUBGROUP_BEGIN(sg, group_size) const subgroup sg = subgroup_make()

static inline subgroup subgroup_make(void) {
  subgroup sg;
  sg.size = get_sub_group_size();
  sg.lane = get_sub_group_local_id();
  sg.index = get_sub_group_id();
  sg.count = get_num_sub_groups();
  return sg;
}

#define SUBGROUP_HAS_BROADCAST
static inline uint subgroup_broadcast_uint(subgroup sg, uint value, uint source) {
  return sub_group_broadcast(value, source);
}
static inline ulong subgroup_broadcast_ulong(subgroup sg, ulong value, uint source) {
  return sub_group_broadcast(value, source);
}

static inline void subgroup_fence(subgroup sg) { sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); }

#ifdef CLOPT_SUBGROUP_BUILTINS
#define SUBGROUP_HAS_INTEGER_REDUCTIONS
#endif

#ifdef CLOPT_SUBGROUP_KHR

/* cl_khr_subgroup_shuffle_relative is not asked for: PoCL 5.0 lacks it, and its result for an absent lane is undefined,
 * so that the source would have to be compared with the size all the same.
 */
static inline uint subgroup_fetch_uint(subgroup sg, uint value, uint source) {
  return sub_group_shuffle(value, source);
}
static inline ulong subgroup_fetch_ulong(subgroup sg, ulong value, uint source) {
  return sub_group_shuffle(value, source);
}

#define SUBGROUP_HAS_BALLOT
static inline ulong subgroup_ballot(subgroup sg, int predicate) {
  const uint4 bits = sub_group_ballot(predicate);
  return bits.x | (ulong)bits.y << 32;
}

#else

static inline uint subgroup_fetch_uint(subgroup sg, uint value, uint source) {
  return intel_sub_group_shuffle(value, source);
}
/* In halves: shuffles of 64 bits are a further extension, cl_intel_subgroups_long. */
static inline ulong subgroup_fetch_ulong(subgroup sg, ulong value, uint source) {
  const uint low = intel_sub_group_shuffle((uint)value, source);
  const uint high = intel_sub_group_shuffle((uint)(value >> 32), source);
  return low | (ulong)high << 32;
}

#define SUBGROUP_HAS_ANY_ALL
static inline int subgroup_any(subgroup sg, int predicate) { return sub_group_any(predicate) != 0; }
static inline int subgroup_all(subgroup sg, int predicate) { return sub_group_all(predicate) != 0; }

#endif

#elif defined(CLOPT_SUBGROUP_PTX)

#define SUBGROUP_WIDTH 32u
#define SUBGROUP_BEGIN(sg, group_size) const subgroup sg = subgroup_make()

/* A warp is 32 work-items that follow each other in the work-group. */
static inline subgroup subgroup_make(void) {
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  subgroup sg;
  sg.index = item / 32u;
  sg.lane = item % 32u;
  sg.size = min(32u, items - sg.index * 32u);
  sg.count = (items + 31u) / 32u;
  return sg;
}

/* The lanes that take part in a .sync instruction: naming a lane that does not exist would be undefined. */
static inline uint subgroup_members(subgroup sg) { return 0xffffffffu >> (32u - sg.size); }

static inline void subgroup_fence(subgroup sg) {
  asm volatile("bar.warp.sync %0;" : : "r"(subgroup_members(sg)) : "memory");
}

/* shfl's last lane (its operand c, 0 for .up, whose bound is the first) makes it return the caller's own value where
 * the source lies beyond; the source itself is taken modulo 32, hence the select.
 */
#define SUBGROUP_PTX_SHUFFLE(name, mode, bound)                                      \
  static inline uint name##_uint(subgroup sg, uint value, uint operand) {            \
    uint result;                                                                     \
    asm volatile("shfl.sync." mode ".b32 %0, %1, %2, %3, %4;"                        \
                 : "=r"(result)                                                      \
                 : "r"(value), "r"(operand), "r"(bound), "r"(subgroup_members(sg))); \
    return operand < 32u ? result : value;                                           \
  }                                                                                  \
  static inline ulong name##_ulong(subgroup sg, ulong value, uint operand) {         \
    const uint low = name##_uint(sg, (uint)value, operand);                          \
    const uint high = name##_uint(sg, (uint)(value >> 32), operand);                 \
    return low | (ulong)high << 32;                                                  \
  }

#define SUBGROUP_HAS_SHUFFLES
SUBGROUP_PTX_SHUFFLE(subgroup_shuffle, "idx", sg.size - 1u)
SUBGROUP_PTX_SHUFFLE(subgroup_shuffle_xor, "bfly", sg.size - 1u)
SUBGROUP_PTX_SHUFFLE(subgroup_shuffle_up, "up", 0u)
SUBGROUP_PTX_SHUFFLE(subgroup_shuffle_down, "down", sg.size - 1u)

#define SUBGROUP_HAS_BALLOT
static inline ulong subgroup_ballot(subgroup sg, int predicate) {
  uint bits;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
               : "=r"(bits)
               : "r"(predicate), "r"(subgroup_members(sg)));
  return bits;
}

/* From compute capability 8.0 on, one instruction reduces words of 32 bits. */
#ifdef CLOPT_SUBGROUP_PTX_REDUX
#define SUBGROUP_HAS_WORD_REDUCTIONS
#define SUBGROUP_PTX_REDUCE(name, type, operation)                         \
  static inline type subgroup_reduce_##name##_##type(subgroup sg, type value) {        \
    type result;                                                                       \
    asm volatile("redux.sync." operation " %0, %1, %2;"                                \
                 : "=r"(result)                                                        \
                 : "r"(value), "r"(subgroup_members(sg)));                             \
    return result;                                                                     \
  }
SUBGROUP_PTX_REDUCE(add, uint, "add.u32")
SUBGROUP_PTX_REDUCE(min, uint, "min.u32")
SUBGROUP_PTX_REDUCE(max, uint, "max.u32")
SUBGROUP_PTX_REDUCE(add, int, "add.s32")
SUBGROUP_PTX_REDUCE(min, int, "min.s32")
SUBGROUP_PTX_REDUCE(max, int, "max.s32")
#endif

#elif defined(CLOPT_SUBGROUP_EMULATED)

#if CLOPT_SUBGROUP_SIZE < 1 || CLOPT_SUBGROUP_SIZE > 64 || (CLOPT_SUBGROUP_SIZE & (CLOPT_SUBGROUP_SIZE - 1)) != 0
#error "CLOPT_SUBGROUP_SIZE must be a power of two from 1 to 64"
#endif

#define SUBGROUP_WIDTH ((uint)CLOPT_SUBGROUP_SIZE)
#define SUBGROUP_BEGIN(sg, group_size) \
  local ulong sg##_values[group_size]; \
  const subgroup sg = subgroup_make(sg##_values)

static inline subgroup subgroup_make(local ulong* values) {
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  subgroup sg;
  sg.index = item / SUBGROUP_WIDTH;
  sg.lane = item % SUBGROUP_WIDTH;
  sg.size = min(SUBGROUP_WIDTH, items - sg.index * SUBGROUP_WIDTH);
  sg.count = (items + SUBGROUP_WIDTH - 1u) / SUBGROUP_WIDTH;
  sg.values = values + sg.index * SUBGROUP_WIDTH;
  return sg;
}

static inline void subgroup_fence(subgroup sg) { barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); }

/* The second barrier keeps the next call from overwriting what a slower work-item has yet to read. */
static inline ulong subgroup_fetch_ulong(subgroup sg, ulong value, uint source) {
#if CLOPT_SUBGROUP_SIZE == 1
  return value;
#else
  sg.values[sg.lane] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  const ulong result = sg.values[source];
  barrier(CLK_LOCAL_MEM_FENCE);
  return result;
#endif
}
static inline uint subgroup_fetch_uint(subgroup sg, uint value, uint source) {
  return (uint)subgroup_fetch_ulong(sg, value, source);
}

#define SUBGROUP_HAS_BALLOT
static inline ulong subgroup_ballot(subgroup sg, int predicate) {
#if CLOPT_SUBGROUP_SIZE == 1
  return predicate != 0;
#else
  sg.values[sg.lane] = predicate != 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  ulong bits = 0;
  for (uint lane = 0; lane < sg.size; ++lane) bits |= sg.values[lane] << lane;
  barrier(CLK_LOCAL_MEM_FENCE);
  return bits;
#endif
}

#else
#error "define one of CLOPT_SUBGROUP_KHR, CLOPT_SUBGROUP_INTEL, CLOPT_SUBGROUP_PTX, CLOPT_SUBGROUP_EMULATED"
#endif

/* ---- From here on: one text for all providers. ---- */

/* A source before lane 0 wraps around to a large number, so that one comparison finds both ways out of range. */
#define SUBGROUP_SHUFFLES(bits)                                                           \
  static inline bits subgroup_shuffle_##bits(subgroup sg, bits value, uint source) {      \
    return subgroup_fetch_##bits(sg, value, source < sg.size ? source : sg.lane);         \
  }                                                                                       \
  static inline bits subgroup_shuffle_xor_##bits(subgroup sg, bits value, uint mask) {    \
    return subgroup_shuffle_##bits(sg, value, sg.lane ^ mask);                            \
  }                                                                                       \
  static inline bits subgroup_shuffle_up_##bits(subgroup sg, bits value, uint offset) {   \
    return subgroup_shuffle_##bits(sg, value, sg.lane - offset);                          \
  }                                                                                       \
  static inline bits subgroup_shuffle_down_##bits(subgroup sg, bits value, uint offset) { \
    return subgroup_shuffle_##bits(sg, value, sg.lane + offset);                          \
  }

#define SUBGROUP_BROADCAST(bits)                                                       \
  static inline bits subgroup_broadcast_##bits(subgroup sg, bits value, uint source) { \
    return subgroup_shuffle_##bits(sg, value, source);                                 \
  }

#ifndef SUBGROUP_HAS_SHUFFLES
SUBGROUP_SHUFFLES(uint)
SUBGROUP_SHUFFLES(ulong)
#endif
#ifndef SUBGROUP_HAS_BROADCAST
SUBGROUP_BROADCAST(uint)
SUBGROUP_BROADCAST(ulong)
#endif

/* The other types travel as the unsigned type of their size. */
#define SUBGROUP_AS_BITS(function, type, bits)                                             \
  static inline type subgroup_##function##_##type(subgroup sg, type value, uint operand) { \
    return as_##type(subgroup_##function##_##bits(sg, as_##bits(value), operand));         \
  }
#define SUBGROUP_ALL_AS_BITS(type, bits)     \
  SUBGROUP_AS_BITS(shuffle, type, bits)      \
  SUBGROUP_AS_BITS(shuffle_xor, type, bits)  \
  SUBGROUP_AS_BITS(shuffle_up, type, bits)   \
  SUBGROUP_AS_BITS(shuffle_down, type, bits) \
  SUBGROUP_AS_BITS(broadcast, type, bits)

SUBGROUP_ALL_AS_BITS(int, uint)
SUBGROUP_ALL_AS_BITS(float, uint)
SUBGROUP_ALL_AS_BITS(long, ulong)

/* Only lane 0 is certain to have met every existing lane, hence the broadcast. */
#define SUBGROUP_REDUCE(name, type, combined)                                  \
  static inline type subgroup_reduce_##name##_##type(subgroup sg, type left) { \
    for (uint offset = 1; offset < SUBGROUP_WIDTH; offset <<= 1) {             \
      const type right = subgroup_shuffle_xor_##type(sg, left, offset);        \
      if ((sg.lane ^ offset) < sg.size) left = combined;                       \
    }                                                                          \
    return subgroup_broadcast_##type(sg, left, 0);                             \
  }

/* Sums are taken in the type `arithmetic`: overflow of a signed integer would be undefined. */
#define SUBGROUP_SCANS(type, arithmetic)                                           \
  static inline type subgroup_scan_inclusive_add_##type(subgroup sg, type right) { \
    for (uint offset = 1; offset < SUBGROUP_WIDTH; offset <<= 1) {                 \
      const type left = subgroup_shuffle_up_##type(sg, right, offset);             \
      if (offset <= sg.lane) right = (type)((arithmetic)left + (arithmetic)right); \
    }                                                                              \
    return right;                                                                  \
  }                                                                                \
  static inline type subgroup_scan_exclusive_add_##type(subgroup sg, type value) { \
    const type inclusive = subgroup_scan_inclusive_add_##type(sg, value);          \
    const type before = subgroup_shuffle_up_##type(sg, inclusive, 1);              \
    return sg.lane == 0 ? (type)0 : before;                                        \
  }

#define SUBGROUP_REDUCES(type, arithmetic)                                 \
  SUBGROUP_REDUCE(add, type, (type)((arithmetic)left + (arithmetic)right)) \
  SUBGROUP_REDUCE(min, type, right < left ? right : left)                  \
  SUBGROUP_REDUCE(max, type, left < right ? right : left)
#define SUBGROUP_REDUCTIONS(type, arithmetic) \
  SUBGROUP_REDUCES(type, arithmetic)          \
  SUBGROUP_SCANS(type, arithmetic)

#define SUBGROUP_BUILTIN(function, type) \
  static inline type subgroup_##function##_##type(subgroup sg, type value) { return sub_group_##function(value); }
#define SUBGROUP_BUILTIN_REDUCTIONS(type)    \
  SUBGROUP_BUILTIN(reduce_add, type)         \
  SUBGROUP_BUILTIN(reduce_min, type)         \
  SUBGROUP_BUILTIN(reduce_max, type)         \
  SUBGROUP_BUILTIN(scan_inclusive_add, type) \
  SUBGROUP_BUILTIN(scan_exclusive_add, type)

#ifdef SUBGROUP_HAS_INTEGER_REDUCTIONS
SUBGROUP_BUILTIN_REDUCTIONS(int)
SUBGROUP_BUILTIN_REDUCTIONS(uint)
SUBGROUP_BUILTIN_REDUCTIONS(long)
SUBGROUP_BUILTIN_REDUCTIONS(ulong)
#else
#ifndef SUBGROUP_HAS_WORD_REDUCTIONS
SUBGROUP_REDUCES(int, uint)
SUBGROUP_REDUCES(uint, uint)
#endif
SUBGROUP_SCANS(int, uint)
SUBGROUP_SCANS(uint, uint)
SUBGROUP_REDUCTIONS(long, ulong)
SUBGROUP_REDUCTIONS(ulong, ulong)
#endif
/* Never by built-ins: the order of their sums is the device's own. */
SUBGROUP_REDUCTIONS(float, float)

#ifndef SUBGROUP_HAS_BALLOT
static inline ulong subgroup_ballot(subgroup sg, int predicate) {
  return subgroup_reduce_add_ulong(sg, predicate != 0 ? 1ul << sg.lane : 0ul);
}
#endif
#ifndef SUBGROUP_HAS_ANY_ALL
static inline int subgroup_any(subgroup sg, int predicate) { return subgroup_ballot(sg, predicate) != 0; }
static inline int subgroup_all(subgroup sg, int predicate) { return !subgroup_any(sg, predicate == 0); }
#endif

#endif
