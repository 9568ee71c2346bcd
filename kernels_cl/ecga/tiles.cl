/* Tiles of the table of counts of pairs of rows, as counts.cl and matrix_units.cl count them. */
#ifndef CLOPT_ECGA_TILES_H
#define CLOPT_ECGA_TILES_H

#include "shared/ecga/ecga.h"

/* Pairs of rows that a work-group takes, in each direction. */
#define TILE 32u

/* The words of all layers. */
static inline uint counted_words(global const uint* totals, uint layers) {
  uint words = 0;
  for (uint layer = 0; layer < layers; ++layer) words += ecga_layer_words(totals[layer]);
  return words;
}

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

#endif
