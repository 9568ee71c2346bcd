/* Counts of ones: of rows, and of the ands of pairs of rows (paper: FASTCOUNT). */
#include "common/reduce.cl"
#include "shared/ecga/ecga.h"

#define COUNT_GROUP_SIZE 256

/* ones[r] = the ones of row r, a work-group a row. */
kernel SUBGROUP_REQUIRE void count_ones(global const uint* rows, global uint* ones, uint row_words) {
  SUBGROUP_BEGIN(sg, COUNT_GROUP_SIZE);
  local uint parts[COUNT_GROUP_SIZE + 1];
  global const uint* row = rows + (ulong)get_group_id(0) * row_words;
  uint own = 0;
  for (uint x = (uint)get_local_id(0); x < row_words; x += (uint)get_local_size(0)) own += popcount(row[x]);
  const uint sum = group_reduce_add_uint(sg, own, parts);
  if (get_local_id(0) == 0) ones[get_group_id(0)] = sum;
}

/* The words of all layers. */
static inline uint counted_words(global const uint* totals, uint layers) {
  uint words = 0;
  for (uint layer = 0; layer < layers; ++layer) words += ecga_layer_words(totals[layer]);
  return words;
}

/* Rows first, first + 1, ... = the ands of their loci. */
kernel void make_rows(global uint* rows, global const uint* lists, global const ecga_product* products,
                      global const uint* totals, uint first, uint row_words, uint layers) {
  const uint x = (uint)get_global_id(0);
  const uint index = (uint)get_global_id(1);
  if (x >= counted_words(totals, layers)) return;
  const ecga_product product = products[index];
  uint word = 0xffffffffu;
  for (uint s = 0; product.subset >> s != 0u; ++s)
    if ((product.subset >> s & 1u) != 0u) word &= rows[(ulong)lists[product.loci + s] * row_words + x];
  rows[(ulong)(first + index) * row_words + x] = word;
}

/* The ones of row first + i into the diagonal of the table, a work-group a row. */
kernel SUBGROUP_REQUIRE void count_diagonal(global const uint* rows, global const uint* totals, global uint* counts,
                                            uint first, uint row_words, uint layers, uint stride) {
  SUBGROUP_BEGIN(sg, COUNT_GROUP_SIZE);
  local uint parts[COUNT_GROUP_SIZE + 1];
  const uint index = first + (uint)get_group_id(0);
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

/* The rows of all subsets of a block's loci. A work-item makes a word of each. */
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

/* Tiles of 32 by 32 pairs; a work-group of 8 by 8 work-items, each with 4 by 4 pairs, 8 apart. */
#define COUNT_REQUIRE __attribute__((reqd_work_group_size(64, 1, 1)))
#define MATRIX_REQUIRE __attribute__((reqd_work_group_size(32, 1, 1)))
#define TILE 32u
#define TILE_ITEMS 64u
#define STAGE 32u

/* The part of a row that a work-group takes, and the layer that it is in: see ecga_layer_words(). */
struct layer_walk {
  uint begin;
  uint end;
  uint layer;
  uint layer_end;
};
typedef struct layer_walk layer_walk;

static inline layer_walk begin_walk(global const uint* totals, ecga_tiles tiles) {
  layer_walk walk;
  const uint words = counted_words(totals, tiles.layers);
  const uint part = (words / 16u + tiles.parts - 1u) / tiles.parts * 16u;
  walk.begin = min((uint)get_group_id(2) * part, words);
  walk.end = min(walk.begin + part, words);
  walk.layer = tiles.layers - 1u;
  walk.layer_end = ecga_layer_words(totals[walk.layer]);
  return walk;
}

/* How often sums double before word x. */
static inline uint doublings_before(layer_walk* walk, global const uint* totals, uint x) {
  uint doublings = 0;
  while (walk->layer > 0u && x >= walk->layer_end) {
    --walk->layer;
    walk->layer_end += ecga_layer_words(totals[walk->layer]);
    ++doublings;
  }
  return doublings;
}

/* Whether a tile has pairs with q <= p, which are those that are wanted; lists ascend. 1 or 0. */
static inline uint is_wanted_tile(global const uint* lists, ecga_tiles tiles, uint p_tile, uint q_tile, uint side) {
  const uint last = min(p_tile + side, tiles.first_count) - 1u;
  return lists[tiles.first + last] >= lists[tiles.second + q_tile] ? 1u : 0u;
}

static inline void put_count(global uint* counts, global const uint* lists, ecga_tiles tiles, uint p_index,
                             uint q_index, uint sum) {
  if (p_index >= tiles.first_count || q_index >= tiles.second_count) return;
  const uint p = lists[tiles.first + p_index];
  const uint q = lists[tiles.second + q_index];
  if (q > p) return;
  const ulong place = (ulong)p * tiles.stride + q;
  if (tiles.parts > 1u)
    atomic_add(counts + place, sum);
  else
    counts[place] = sum;
}

/* Work-group (q tile, p tile, part of the words). */
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

#ifdef ECGA_MATRIX_UNITS
/* sums += the ones of the ands of 16 rows and 8 columns of 256 bits. */
#define MULTIPLY_BITS(sums, a, b, c, d, e, f)                                                                      \
  asm volatile(                                                                                                    \
      "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "   \
      "{%0, %1, %2, %3};"                                                                                          \
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])                                                 \
      : "r"(a), "r"(b), "r"(c), "r"(d), "r"(e), "r"(f))
#endif

/* The same by 1-bit matrix units, which inline PTX reaches: a sub-group of 32 lanes takes 32 by 32 pairs in pieces of
 * 16 by 8, 256 bits at a time. Only built where a device has them (see lib/ecga/matrix_units.hpp). A row's words are a
 * multiple of 16. */
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

/* The same in tiles of WIDE by WIDE pairs: a sub-group takes 64 by WIDE_COLUMNS of them from local memory, into which
 * the next 512 bits of each row come while these are multiplied. */
#define WIDE_COLUMNS 64u
#define WIDE 128u
#define WIDE_ROWS 64u
#define WIDE_ITEMS (32u * (WIDE / WIDE_ROWS) * (WIDE / WIDE_COLUMNS))
#define WIDE_QUADS (8u * WIDE / WIDE_ITEMS)

#define WIDE_REQUIRE __attribute__((reqd_work_group_size(WIDE_ITEMS, 1, 1)))

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
