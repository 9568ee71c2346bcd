/* Counts of the ands of pairs of rows by 1-bit matrix units. Built with ECGA_MATRIX_UNITS where a device has them (see
 * lib/ecga/matrix_units.hpp); the kernels are empty without. */
#include "ecga/tiles.cl"

#define MATRIX_REQUIRE __attribute__((reqd_work_group_size(32, 1, 1)))

#ifdef ECGA_MATRIX_UNITS
/* sums += the ones of the ands of 16 rows and 8 columns of 256 bits. */
#define MULTIPLY_BITS(sums, a, b, c, d, e, f)                                                                      \
  asm volatile(                                                                                                    \
      "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "   \
      "{%0, %1, %2, %3};"                                                                                          \
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])                                                 \
      : "r"(a), "r"(b), "r"(c), "r"(d), "r"(e), "r"(f))
#endif

/* count_pairs by 1-bit matrix units, which inline PTX reaches: a sub-group of 32 lanes takes a tile of 32 by 32 pairs in
 * pieces of 16 by 8, 256 bits at a time. A row's words are a multiple of 16. Launched over tiles, as count_pairs, with 32
 * work-items for each. */
kernel MATRIX_REQUIRE void count_pairs_matrix(global const uint* rows, global const uint* lists,
                                              global const uint* totals, global uint* counts, ecga_tiles tiles) {
#ifdef ECGA_MATRIX_UNITS
  const uint lane = (uint)get_local_id(0);
  const uint p_tile = (uint)get_group_id(1) * TILE;
  const uint q_tile = (uint)get_group_id(0) * TILE;
  global const uint* p_rows = lists + tiles.first;
  global const uint* q_rows = lists + tiles.second;
  if (is_wanted_tile(lists, tiles, p_tile, q_tile, TILE) == 0u) return;
  layer_walk walk = begin_walk(totals, tiles);
  /* A lane holds rows lane / 4 and so on of each piece, and in each 256 bits two words of a row. Which two does not
   * matter to a sum over all bits, as long as it is the same on both sides: four words in a row are one load. */
  const uint line = lane >> 2;
  const uint part = lane & 3u;
  ulong first_at[4];
  ulong second_at[4];
#pragma unroll
  for (uint i = 0; i < 4u; ++i) {
    first_at[i] = (ulong)p_rows[min(p_tile + 8u * i + line, tiles.first_count - 1u)] * (tiles.row_words / 4u) + part;
    second_at[i] = (ulong)q_rows[min(q_tile + 8u * i + line, tiles.second_count - 1u)] * (tiles.row_words / 4u) + part;
  }
  int sums[2][4][4] = {{{0}}};
  global const uint4* quads = (global const uint4*)rows;
  for (uint x = walk.begin / 4u; x < walk.end / 4u; x += 4u) {
    const uint doublings = doublings_before(&walk, totals, 4u * x);
    if (doublings > 0u) {
#pragma unroll
      for (uint i = 0; i < 32u; ++i) sums[i / 16u][i / 4u % 4u][i % 4u] <<= doublings;
    }
    uint4 left[4];
    uint4 right[4];
#pragma unroll
    for (uint i = 0; i < 4u; ++i) {
      left[i] = quads[first_at[i] + x];
      right[i] = quads[second_at[i] + x];
    }
#pragma unroll
    for (uint i = 0; i < 2u; ++i) {
#pragma unroll
      for (uint j = 0; j < 4u; ++j) {
        MULTIPLY_BITS(sums[i][j], left[2 * i].x, left[2 * i + 1].x, left[2 * i].y, left[2 * i + 1].y, right[j].x,
                      right[j].y);
        MULTIPLY_BITS(sums[i][j], left[2 * i].z, left[2 * i + 1].z, left[2 * i].w, left[2 * i + 1].w, right[j].z,
                      right[j].w);
      }
    }
  }
#pragma unroll
  for (uint i = 0; i < 2u; ++i) {
#pragma unroll
    for (uint j = 0; j < 4u; ++j) {
#pragma unroll
      for (uint k = 0; k < 4u; ++k)
        put_count(counts, lists, tiles, p_tile + 16u * i + line + (k >> 1) * 8u, q_tile + 8u * j + part * 2u + (k & 1u),
                  (uint)sums[i][j][k] << walk.layer);
    }
  }
#endif
}

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
