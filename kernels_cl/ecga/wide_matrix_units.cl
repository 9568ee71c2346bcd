/* Counts of the ands of many pairs of rows by 1-bit matrix units, as matrix_units.cl. */
#include "ecga/multiply_bits.cl"
#include "ecga/tiles.cl"

#define WIDE_COLUMNS 64u
#define WIDE 128u
#define WIDE_ROWS 64u
#define WIDE_ITEMS (32u * (WIDE / WIDE_ROWS) * (WIDE / WIDE_COLUMNS))
#define WIDE_QUADS (8u * WIDE / WIDE_ITEMS)

#define WIDE_REQUIRE __attribute__((reqd_work_group_size(WIDE_ITEMS, 1, 1)))

/* count_pairs by 1-bit matrix units in tiles of 128 by 128 pairs, for many rows: a sub-group takes 64 by 64 of them from
 * local memory, into which the next 512 bits of each row come while these are multiplied. Launched over such tiles with
 * 128 work-items for each. */
kernel WIDE_REQUIRE void count_pairs_wide(global const uint* rows, global const uint* lists, global const uint* totals,
                                          global uint* counts, ecga_tiles tiles) {
#ifdef ECGA_MATRIX_UNITS
  local uint4 stage[2][8u * WIDE];
  const uint item = (uint)get_local_id(0);
  const uint p_tile = (uint)get_group_id(1) * WIDE;
  const uint q_tile = (uint)get_group_id(0) * WIDE;
  global const uint* p_rows = lists + tiles.first;
  global const uint* q_rows = lists + tiles.second;
  if (is_wanted_tile(lists, tiles, p_tile, q_tile, WIDE) == 0u) return;
  layer_walk walk = begin_walk(totals, tiles);
  ulong at[WIDE_QUADS];
#pragma unroll
  for (uint i = 0; i < WIDE_QUADS; ++i) {
    const uint index = (item + WIDE_ITEMS * i) >> 2;
    const uint row = index < WIDE ? p_rows[min(p_tile + index, tiles.first_count - 1u)]
                                  : q_rows[min(q_tile + index - WIDE, tiles.second_count - 1u)];
    at[i] = (ulong)row * (tiles.row_words / 4u) + (item & 3u);
  }
  const uint lane = item & 31u;
  const uint line = lane >> 2;
  const uint part = lane & 3u;
  const uint p_own = (item >> 5) % (WIDE / WIDE_ROWS) * WIDE_ROWS;
  const uint q_own = (item >> 5) / (WIDE / WIDE_ROWS) * WIDE_COLUMNS;
  int sums[WIDE_ROWS / 16u][WIDE_COLUMNS / 8u][4] = {{{0}}};
  global const uint4* quads = (global const uint4*)rows;
  uint4 next[WIDE_QUADS];
#pragma unroll
  for (uint i = 0; i < WIDE_QUADS; ++i) next[i] = quads[at[i] + walk.begin / 4u];
  for (uint x = walk.begin / 4u; x < walk.end / 4u; x += 4u) {
    const uint doublings = doublings_before(&walk, totals, 4u * x);
    if (doublings > 0u) {
#pragma unroll
      for (uint i = 0; i < WIDE_ROWS / 16u; ++i) {
#pragma unroll
        for (uint j = 0; j < WIDE_COLUMNS / 2u; ++j) sums[i][j / 4u][j % 4u] <<= doublings;
      }
    }
    local uint4* now = stage[x >> 2 & 1u];
#pragma unroll
    for (uint i = 0; i < WIDE_QUADS; ++i) now[item + WIDE_ITEMS * i] = next[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x + 4u < walk.end / 4u) {
#pragma unroll
      for (uint i = 0; i < WIDE_QUADS; ++i) next[i] = quads[at[i] + x + 4u];
    }
    uint4 right[WIDE_COLUMNS / 8u];
#pragma unroll
    for (uint j = 0; j < WIDE_COLUMNS / 8u; ++j) right[j] = now[4u * (WIDE + q_own + 8u * j + line) + part];
#pragma unroll
    for (uint i = 0; i < WIDE_ROWS / 16u; ++i) {
      const uint4 upper = now[4u * (p_own + 16u * i + line) + part];
      const uint4 lower = now[4u * (p_own + 16u * i + 8u + line) + part];
#pragma unroll
      for (uint j = 0; j < WIDE_COLUMNS / 8u; ++j) {
        MULTIPLY_BITS(sums[i][j], upper.x, lower.x, upper.y, lower.y, right[j].x, right[j].y);
        MULTIPLY_BITS(sums[i][j], upper.z, lower.z, upper.w, lower.w, right[j].z, right[j].w);
      }
    }
  }
  /* The rows' numbers first: a store may change what a load after it finds. */
  uint q[WIDE_COLUMNS / 4u];
#pragma unroll
  for (uint n = 0; n < WIDE_COLUMNS / 4u; ++n) {
    const uint q_index = q_tile + q_own + 8u * (n >> 1) + part * 2u + (n & 1u);
    q[n] = q_index < tiles.second_count ? q_rows[q_index] : 0xffffffffu;
  }
#pragma unroll
  for (uint i = 0; i < WIDE_ROWS / 8u; ++i) {
    const uint p_index = p_tile + p_own + 8u * i + line;
    if (p_index >= tiles.first_count) continue;
    const uint p = p_rows[p_index];
    global uint* own = counts + (ulong)p * tiles.stride;
#pragma unroll
    for (uint n = 0; n < WIDE_COLUMNS / 4u; ++n) {
      if (q[n] > p) continue;
      const uint sum = (uint)sums[i >> 1][n >> 1][(i & 1u) * 2u + (n & 1u)] << walk.layer;
      if (tiles.parts > 1u)
        atomic_add(own + q[n], sum);
      else
        own[q[n]] = sum;
    }
  }
#endif
}
