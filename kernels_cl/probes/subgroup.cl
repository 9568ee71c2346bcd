/* Runs every function of common/subgroup.cl for every type: the test of a provider, and the probe that decides whether
 * a device's provider is trusted. A probe uses work-groups whose size is a multiple of the width, and others.
 *
 * values:  one a work-item. Its low 32 bits are the int and the uint, its high 32 bits the float (the host puts a
 *          finite number there), the whole is the long and the ulong.
 * results: results[row * count + work-item], where count is the number of all work-items. 32-bit results are extended
 *          with zeros; floats are their bits.
 *
 * Rows of subgroup_functions_T (SUBGROUP_TEST_FUNCTION_ROWS rows):
 *   0       shuffle from lane (low 32 bits of the value >> 8) % 64, which need not exist
 *   1       shuffle from lane size - 1 - lane
 *   2-4     broadcast of lane 0, size / 2, size - 1
 *   5-7     reduce add, min, max
 *   8, 9    inclusive and exclusive scan
 *   10-19   shuffle xor with each of SUBGROUP_TEST_OFFSETS
 *   20-29   shuffle up by each of them
 *   30-39   shuffle down by each of them
 *   40      3 + count % 5 times in a loop: shuffle from lane (lane + 1) % size (a call that is repeated with changed
 *           values shows whether it overwrites what other lanes have yet to read)
 * Rows of subgroup_votes (SUBGROUP_TEST_VOTE_ROWS rows):
 *   0-4     size, lane, index, count, SUBGROUP_WIDTH
 *   5, 6    ballot of (low 32 bits & 6), of -1
 *   7, 8    any of (low 32 bits & 0x700) == 0 ? 256 : 0, of 0
 *   9, 10   all of low 32 bits & 0x700, of -1
 *   11, 12  any and all where the last lane alone decides: any of lane == size - 1, all of lane != size - 1
 */
#include "common/subgroup.cl"

#define SUBGROUP_TEST_FUNCTION_ROWS 41
#define SUBGROUP_TEST_VOTE_ROWS 13

/* The largest work-group that the kernels may be run with. */
#ifndef SUBGROUP_TEST_GROUP_SIZE
#define SUBGROUP_TEST_GROUP_SIZE 256
#endif

constant uint SUBGROUP_TEST_OFFSETS[10] = {0, 1, 2, 3, 4, 8, 16, 32, 63, 100};

#define SUBGROUP_TEST(type, bits)                                                                                  \
  static inline void subgroup_test_##type(subgroup sg, uint word, type value, global ulong* results, uint count) { \
    global ulong* row = results + get_global_id(0);                                                                \
    row[0 * (size_t)count] = as_##bits(subgroup_shuffle_##type(sg, value, (word >> 8) % 64u));                     \
    row[1 * (size_t)count] = as_##bits(subgroup_shuffle_##type(sg, value, sg.size - 1u - sg.lane));                \
    row[2 * (size_t)count] = as_##bits(subgroup_broadcast_##type(sg, value, 0u));                                  \
    row[3 * (size_t)count] = as_##bits(subgroup_broadcast_##type(sg, value, sg.size / 2u));                        \
    row[4 * (size_t)count] = as_##bits(subgroup_broadcast_##type(sg, value, sg.size - 1u));                        \
    row[5 * (size_t)count] = as_##bits(subgroup_reduce_add_##type(sg, value));                                     \
    row[6 * (size_t)count] = as_##bits(subgroup_reduce_min_##type(sg, value));                                     \
    row[7 * (size_t)count] = as_##bits(subgroup_reduce_max_##type(sg, value));                                     \
    row[8 * (size_t)count] = as_##bits(subgroup_scan_inclusive_add_##type(sg, value));                             \
    row[9 * (size_t)count] = as_##bits(subgroup_scan_exclusive_add_##type(sg, value));                             \
    for (uint i = 0; i < 10; ++i) {                                                                                \
      const uint offset = SUBGROUP_TEST_OFFSETS[i];                                                                \
      row[(10 + i) * (size_t)count] = as_##bits(subgroup_shuffle_xor_##type(sg, value, offset));                   \
      row[(20 + i) * (size_t)count] = as_##bits(subgroup_shuffle_up_##type(sg, value, offset));                    \
      row[(30 + i) * (size_t)count] = as_##bits(subgroup_shuffle_down_##type(sg, value, offset));                  \
    }                                                                                                              \
    type rotated = value;                                                                                          \
    for (uint i = 0; i < 3 + count % 5; ++i) {                                                                     \
      rotated = subgroup_shuffle_##type(sg, rotated, (sg.lane + 1u) % sg.size);                                    \
    }                                                                                                              \
    row[40 * (size_t)count] = as_##bits(rotated);                                                                  \
  }

/* Types whose functions are made of another type's are left out where SUBGROUP_TEST_FEW is defined: compilers take long
 * for each. */
#ifndef SUBGROUP_TEST_FEW
SUBGROUP_TEST(int, uint)
SUBGROUP_TEST(ulong, ulong)
#endif
SUBGROUP_TEST(uint, uint)
SUBGROUP_TEST(long, ulong)
SUBGROUP_TEST(float, uint)

#ifndef SUBGROUP_TEST_FEW
kernel SUBGROUP_REQUIRE void subgroup_functions_int(global const ulong* values, global ulong* results, uint count) {
  SUBGROUP_BEGIN(sg, SUBGROUP_TEST_GROUP_SIZE);
  const ulong value = values[get_global_id(0)];
  subgroup_test_int(sg, (uint)value, as_int((uint)value), results, count);
}

kernel SUBGROUP_REQUIRE void subgroup_functions_ulong(global const ulong* values, global ulong* results, uint count) {
  SUBGROUP_BEGIN(sg, SUBGROUP_TEST_GROUP_SIZE);
  const ulong value = values[get_global_id(0)];
  subgroup_test_ulong(sg, (uint)value, value, results, count);
}
#endif

kernel SUBGROUP_REQUIRE void subgroup_functions_uint(global const ulong* values, global ulong* results, uint count) {
  SUBGROUP_BEGIN(sg, SUBGROUP_TEST_GROUP_SIZE);
  const ulong value = values[get_global_id(0)];
  subgroup_test_uint(sg, (uint)value, (uint)value, results, count);
}

kernel SUBGROUP_REQUIRE void subgroup_functions_long(global const ulong* values, global ulong* results, uint count) {
  SUBGROUP_BEGIN(sg, SUBGROUP_TEST_GROUP_SIZE);
  const ulong value = values[get_global_id(0)];
  subgroup_test_long(sg, (uint)value, as_long(value), results, count);
}

kernel SUBGROUP_REQUIRE void subgroup_functions_float(global const ulong* values, global ulong* results, uint count) {
  SUBGROUP_BEGIN(sg, SUBGROUP_TEST_GROUP_SIZE);
  const ulong value = values[get_global_id(0)];
  subgroup_test_float(sg, (uint)value, as_float((uint)(value >> 32)), results, count);
}

kernel SUBGROUP_REQUIRE void subgroup_votes(global const ulong* values, global ulong* results, uint count) {
  SUBGROUP_BEGIN(sg, SUBGROUP_TEST_GROUP_SIZE);
  const uint word = (uint)values[get_global_id(0)];
  global ulong* row = results + get_global_id(0);
  row[0 * (size_t)count] = sg.size;
  row[1 * (size_t)count] = sg.lane;
  row[2 * (size_t)count] = sg.index;
  row[3 * (size_t)count] = sg.count;
  row[4 * (size_t)count] = SUBGROUP_WIDTH;
  row[5 * (size_t)count] = subgroup_ballot(sg, (int)(word & 6u));
  row[6 * (size_t)count] = subgroup_ballot(sg, -1);
  row[7 * (size_t)count] = (ulong)subgroup_any(sg, (word & 0x700u) == 0u ? 256 : 0);
  row[8 * (size_t)count] = (ulong)subgroup_any(sg, 0);
  row[9 * (size_t)count] = (ulong)subgroup_all(sg, (int)(word & 0x700u));
  row[10 * (size_t)count] = (ulong)subgroup_all(sg, -1);
  row[11 * (size_t)count] = (ulong)subgroup_any(sg, sg.lane == sg.size - 1u);
  row[12 * (size_t)count] = (ulong)subgroup_all(sg, sg.lane != sg.size - 1u);
}
