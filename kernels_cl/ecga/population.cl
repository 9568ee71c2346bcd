/* The population: word w of individual i is at population[w * stride + i], so that work-items that follow each other
 * read words that do. Beyond the individuals there are zeros up to the stride, which is 32 times a row's words. */
#include "common/reduce.cl"
#include "ecga/transpose.cl"
#include "shared/ecga/ecga.h"

/* The initial population; zeros beyond the individuals. Launched over (stride, words of an individual). */
kernel void initial_population(global uint* population, uint individuals, uint stride, uint length, ulong seed) {
  const uint individual = (uint)get_global_id(0);
  const uint word = (uint)get_global_id(1);
  if (individual >= stride) return;
  population[(ulong)word * stride + individual] =
      ecga_initial_word(seed, individual, word, length) & (individual < individuals ? 0xffffffffu : 0u);
}

#define LAYER_GROUP_SIZE 256

/* Which individuals each layer has, in any order; `chosen` has room for `stride` of each. Sets copies to 0.
 * Launched over the individuals in work-groups of at most 256, and at least `layers`, work-items. */
kernel void list_layers(global uint* copies, global uint* totals, global uint* chosen, uint individuals, uint stride,
                        uint layers) {
  local uint counts[ECGA_MOST_LAYERS];
  local uint begins[ECGA_MOST_LAYERS];
  const uint i = (uint)get_global_id(0);
  const uint item = (uint)get_local_id(0);
  if (item < layers) counts[item] = 0u;
  barrier(CLK_LOCAL_MEM_FENCE);
  /* What a lost launch has left there is no longer a number of copies. */
  const uint number = (i < individuals ? copies[i] : 0u) & ((1u << layers) - 1u);
  if (i < individuals) copies[i] = 0u;
  uint places[ECGA_MOST_LAYERS];
#pragma unroll
  for (uint layer = 0; layer < ECGA_MOST_LAYERS; ++layer)
    if ((number >> layer & 1u) != 0u) places[layer] = atomic_inc(counts + layer);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < layers) begins[item] = atomic_add(totals + item, counts[item]);
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint layer = 0; layer < ECGA_MOST_LAYERS; ++layer)
    if ((number >> layer & 1u) != 0u) chosen[(ulong)layer * stride + begins[layer] + places[layer]] = i;
}

/* The loci's counted rows. A work-item makes a word of 32 rows. Launched over (words of a row, words of an
 * individual). */
kernel void select_layers(global const uint* population, global const uint* chosen, global const uint* totals,
                          global uint* rows, uint individuals, uint stride, uint row_words, uint length, uint layers) {
  const uint x = (uint)get_global_id(0);
  const uint word = (uint)get_global_id(1);
  uint layer = layers;
  uint begin = 0;
  uint end = 0;
  while (layer > 0u && x >= end) {
    --layer;
    begin = end;
    end += ecga_layer_words(totals[layer]);
  }
  if (x >= end) return;
  const uint count = min(totals[layer], individuals);
  const uint first = 32u * (x - begin);
  global const uint* words = population + (ulong)word * stride;
  global const uint* own = chosen + (ulong)layer * stride;
  uint matrix[32];
#pragma unroll
  for (uint k = 0; k < 32u; ++k) matrix[k] = first + k < count ? words[own[first + k]] : 0u;
  TRANSPOSE(matrix)
#pragma unroll
  for (uint k = 0; k < 32u; ++k)
    if (32u * word + k < length) rows[(ulong)(32u * word + k) * row_words + x] = matrix[k];
}

/* genes[w] = word w of an individual. Launched over the words. */
kernel void take_individual(global const uint* population, global uint* genes, uint individual, uint stride,
                            uint words) {
  const uint word = (uint)get_global_id(0);
  if (word < words) genes[word] = population[(ulong)word * stride + individual];
}

/* Perfect mixing: each group's patterns are dealt out by a bijection of their own, so that their numbers stay. lists: a
 * group's first locus in `loci`, for each group and one more, then the loci. Groups from `mixed_groups` on, and
 * individuals from `mixed` on, stay as selected. A work-item makes a word of each of a group's rows. Launched over (words
 * of a row, groups). */
kernel void sample(global const uint* rows, global const uint* lists, global uint* sampled, uint groups,
                   uint mixed_groups, uint individuals, uint mixed, uint row_words, ulong seed, uint generation) {
  const uint x = (uint)get_global_id(0);
  const uint group = (uint)get_global_id(1);
  if (x >= row_words) return;
  global const uint* loci = lists + groups + 1u;
  const uint begin = lists[group];
  const uint end = lists[group + 1u];
  const uint first = 32u * x;
  if (group >= mixed_groups || first >= mixed) {
    for (uint s = begin; s < end; ++s) sampled[(ulong)loci[s] * row_words + x] = rows[(ulong)loci[s] * row_words + x];
    return;
  }
  ecga_bijection deal;
  ecga_set_bijection(&deal, seed, ECGA_PURPOSE_SAMPLING, generation, loci[begin], mixed);
  uint sources[32];
#pragma unroll 1
  for (uint k = 0; k < 32u; ++k) {
    const uint i = first + k;
    sources[k] = i < mixed ? ecga_image(deal, i) : i;
  }
  for (uint s = begin; s < end; ++s) {
    global const uint* row = rows + (ulong)loci[s] * row_words;
    uint word = 0;
#pragma unroll
    for (uint k = 0; k < 32u; ++k) word |= (row[sources[k] >> 5] >> (sources[k] & 31u) & 1u) << k;
    sampled[(ulong)loci[s] * row_words + x] = word;
  }
}
