/* The rows of groups, and counts of ones: of rows, and of the ands of pairs of rows (paper: FASTCOUNT). */
#include "common/reduce.cl"
#include "ecga/tiles.cl"

#define COUNT_GROUP_SIZE 256

/* ones[r] = the ones of row r. Launched with a work-group of at most 256 work-items for each row. */
kernel SUBGROUP_REQUIRE void count_ones(global const uint* rows, global uint* ones, uint row_words) {
  SUBGROUP_BEGIN(sg, COUNT_GROUP_SIZE);
  local uint parts[COUNT_GROUP_SIZE + 1];
  global const uint* row = rows + (ulong)get_group_id(0) * row_words;
  uint own = 0;
  for (uint x = (uint)get_local_id(0); x < row_words; x += (uint)get_local_size(0)) own += popcount(row[x]);
  const uint sum = group_reduce_add_uint(sg, own, parts);
  if (get_local_id(0) == 0) ones[get_group_id(0)] = sum;
}

/* New rows, which begin at row `first_row`: row first_row + i is the and of the loci that products[i] names, whose list
 * is in `lists`. Launched over (words of a row, new rows). */
kernel void make_rows(global uint* rows, global const uint* lists, global const ecga_product* products,
                      global const uint* totals, uint first_row, uint row_words, uint layers) {
  const uint x = (uint)get_global_id(0);
  const uint index = (uint)get_global_id(1);
  if (x >= counted_words(totals, layers)) return;
  const ecga_product product = products[index];
  uint word = 0xffffffffu;
  for (uint s = 0; product.subset >> s != 0u; ++s)
    if ((product.subset >> s & 1u) != 0u) word &= rows[(ulong)lists[product.loci + s] * row_words + x];
  rows[(ulong)(first_row + index) * row_words + x] = word;
}

/* counts[r * stride + r] = the ones of row r, for rows from `first_row` on: the diagonal of the table. Launched with a
 * work-group of at most 256 work-items for each row. */
kernel SUBGROUP_REQUIRE void count_diagonal(global const uint* rows, global const uint* totals, global uint* counts,
                                            uint first_row, uint row_words, uint layers, uint stride) {
  SUBGROUP_BEGIN(sg, COUNT_GROUP_SIZE);
  local uint parts[COUNT_GROUP_SIZE + 1];
  const uint index = first_row + (uint)get_group_id(0);
  global const uint* row = rows + (ulong)index * row_words;
  uint own = 0;
  uint begin = 0;
  for (uint layer = layers; layer-- > 0u;) {
    const uint end = begin + ecga_layer_words(totals[layer]);
    own <<= 1;
    for (uint x = begin + (uint)get_local_id(0); x < end; x += (uint)get_local_size(0)) own += popcount(row[x]);
    begin = end;
  }
  const uint sum = group_reduce_add_uint(sg, own, parts);
  if (get_local_id(0) == 0) counts[(ulong)index * (stride + 1ul)] = sum;
}

/* The rows of all subsets of each block's loci, which `lists` holds. A work-item makes a word of each. Launched over
 * (words of a row, blocks). */
kernel void make_block_rows(global uint* rows, global const uint* lists, global const ecga_block* blocks,
                            global const uint* totals, uint row_words, uint layers) {
  const uint x = (uint)get_global_id(0);
  if (x >= counted_words(totals, layers)) return;
  const ecga_block block = blocks[get_global_id(1)];
  uint words[ECGA_BLOCK_PATTERNS];
  words[0] = 0xffffffffu;
#pragma unroll
  for (uint s = 0; s < ECGA_MOST_ROW_LOCI; ++s) {
    const uint locus = s < block.size ? rows[(ulong)lists[block.loci + s] * row_words + x] : 0u;
#pragma unroll
    for (uint m = 0; m < ECGA_BLOCK_PATTERNS / 2u; ++m)
      if (m < 1u << s) words[1u << s | m] = locus & words[m];
  }
#pragma unroll
  for (uint m = 1; m < ECGA_BLOCK_PATTERNS; ++m)
    if (m < 1u << block.size) rows[(ulong)(block.row + m - 1u) * row_words + x] = words[m];
}

#define COUNT_REQUIRE __attribute__((reqd_work_group_size(64, 1, 1)))
#define TILE_ITEMS 64u
#define STAGE 32u

/* Counts of pairs of rows: counts[p * stride + q] for row p of the first list and row q <= p of the second. Launched over
 * tiles of 32 by 32 pairs: work-group (tile of q, tile of p, part of the words), of 64 work-items, each of which counts 4
 * by 4 pairs, 8 apart. */
kernel COUNT_REQUIRE void count_pairs(global const uint* rows, global const uint* lists, global const uint* totals,
                                      global uint* counts, ecga_tiles tiles) {
  local uint first_words[TILE * (STAGE + 1u)];
  local uint second_words[TILE * (STAGE + 1u)];
  const uint item = (uint)get_local_id(0);
  const uint p_tile = (uint)get_group_id(1) * TILE;
  const uint q_tile = (uint)get_group_id(0) * TILE;
  global const uint* p_rows = lists + tiles.first;
  global const uint* q_rows = lists + tiles.second;
  if (is_wanted_tile(lists, tiles, p_tile, q_tile, TILE) == 0u) return;
  layer_walk walk = begin_walk(totals, tiles);
  uint sums[4][4] = {{0}};
  const uint column = item & 7u;
  const uint line = item >> 3;
  for (uint x = walk.begin; x < walk.end;) {
    const uint doublings = doublings_before(&walk, totals, x);
    const uint end = min(min(x + STAGE, walk.layer_end), walk.end);
    if (doublings > 0u) {
#pragma unroll
      for (uint i = 0; i < 16u; ++i) sums[i / 4u][i % 4u] <<= doublings;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint place = item; place < TILE * STAGE; place += TILE_ITEMS) {
      const uint row = place / STAGE;
      const uint word = x + place % STAGE;
      const uint p = p_rows[min(p_tile + row, tiles.first_count - 1u)];
      const uint q = q_rows[min(q_tile + row, tiles.second_count - 1u)];
      const uint at = row * (STAGE + 1u) + place % STAGE;
      first_words[at] = word < end ? rows[(ulong)p * tiles.row_words + word] : 0u;
      second_words[at] = word < end ? rows[(ulong)q * tiles.row_words + word] : 0u;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < STAGE; ++k) {
      uint left[4];
      uint right[4];
#pragma unroll
      for (uint i = 0; i < 4u; ++i) {
        left[i] = first_words[(line + 8u * i) * (STAGE + 1u) + k];
        right[i] = second_words[(column + 8u * i) * (STAGE + 1u) + k];
      }
#pragma unroll
      for (uint i = 0; i < 4u; ++i) {
#pragma unroll
        for (uint j = 0; j < 4u; ++j) sums[i][j] += popcount(left[i] & right[j]);
      }
    }
    x = end;
  }
  const uint left_over = walk.layer;
#pragma unroll
  for (uint i = 0; i < 4u; ++i) {
#pragma unroll
    for (uint j = 0; j < 4u; ++j)
      put_count(counts, lists, tiles, p_tile + line + 8u * i, q_tile + column + 8u * j, sums[i][j] << left_over);
  }
}
