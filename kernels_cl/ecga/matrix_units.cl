/* Counts of the ands of pairs of rows by 1-bit matrix units. Built with ECGA_MATRIX_UNITS where a device has them (see
 * lib/ecga/model/matrix_units.hpp); the kernels are empty without. */
#include "ecga/multiply_bits.cl"
#include "ecga/tiles.cl"

#define MATRIX_REQUIRE __attribute__((reqd_work_group_size(32, 1, 1)))

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
