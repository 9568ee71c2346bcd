/* Whether greedy stays within blocks of loci that are known beforehand, such as the last generation's groups. */
#include "shared/ecga.h"
#include "shared/elementary_float.h"

#define FORECAST_REQUIRE __attribute__((reqd_work_group_size(32, 1, 1)))
#define PATTERNS ECGA_BLOCK_PATTERNS
/* A column more, so that work-items that read columns meet in no bank. */
#define PITCH (PATTERNS + 1u)

/* The tree of each block, a work-group a block, and the ones of its loci. Empties the list of clashes. */
kernel FORECAST_REQUIRE void grow_trees(global const uint* counts, global const ecga_block* blocks,
                                        global const uint* lists, global const long* logarithms, global uint* ones,
                                        global ecga_tree* trees, global ecga_edge* clashes, ecga_pairs pairs) {
  local uint patterns[PATTERNS];
  local long sums[PATTERNS];
  const uint subset = (uint)get_local_id(0);
  const uint index = (uint)get_group_id(0);
  const ecga_block block = blocks[index];
  const uint entries = 1u << block.size;
  uint count = subset == 0u ? pairs.individuals : 0u;
  if (subset > 0u && subset < entries) count = counts[(ulong)(block.row + subset - 1u) * (pairs.stride + 1ul)];
  if (subset < block.size)
    ones[lists[block.loci + subset]] = counts[(ulong)(block.row + (1u << subset) - 1u) * (pairs.stride + 1ul)];
  if (subset == 0u && index == 0u) clashes[0].first = 0u;
  patterns[subset] = count;
  for (uint step = 1u; step < PATTERNS; step <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((subset & step) == 0u) patterns[subset] -= patterns[subset | step];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  long sum = 0;
  if (subset < entries) {
    const uint others = (entries - 1u) & ~subset;
    uint pattern = 0;
    do {
      uint individuals = 0;
      uint rest = 0;
      do {
        individuals += patterns[pattern | rest];
        rest = (rest - others) & others;
      } while (rest != 0u);
      sum += logarithms[individuals];
      pattern = (pattern - subset) & subset;
    } while (pattern != 0u);
  }
  sums[subset] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (subset != 0u) return;
  long own[PATTERNS];
  for (uint m = 0; m < entries; ++m) own[m] = sums[m];
  ecga_tree tree;
  ecga_grow_tree(&tree, own, block.size, pairs);
  trees[index] = tree;
}

/* Bit i of `bits` goes to the i-th bit of `mask` that is 1. */
static inline uint spread(uint bits, uint mask) {
  uint result = 0;
  for (; mask != 0u; mask &= mask - 1u, bits >>= 1)
    if ((bits & 1u) != 0u) result |= mask & (0u - mask);
  return result;
}

/* Individuals with all loci of a subset of the first block and of one of the second. */
static inline uint count_of_product(global const uint* counts, ecga_block a, ecga_block b, uint first, uint second,
                                    ecga_pairs pairs) {
  if ((first | second) == 0u) return pairs.individuals;
  const uint p = first != 0u ? a.row + first - 1u : b.row + second - 1u;
  const uint q = second != 0u ? b.row + second - 1u : p;
  return counts[(ulong)q * pairs.stride + p];
}

/* Individuals with exactly one pattern of a subset of the first block and of one of the second.
 * table: those with each pattern of the second block and of the first; rest: the other loci. */
static inline uint count_of_pattern(local const uint* table, uint first, uint second, uint first_rest,
                                    uint second_rest) {
  uint individuals = 0;
  uint x = 0;
  do {
    uint y = 0;
    do {
      individuals += table[(second | y) * PITCH + (first | x)];
      y = (y - second_rest) & second_rest;
    } while (y != 0u);
    x = (x - first_rest) & first_rest;
  } while (x != 0u);
  return individuals;
}

/* x ln x, about. */
static inline float about_times_log(uint x) { return (float)x * clopt_log_float((float)max(x, 1u)); }

/* What two blocks share at the most, in units, where `about` is the sum of x ln x over the patterns of both. It is off
 * by less than 2^-18 of N ln N: 64 sums and products each by 2^-24 of what they stand for, logarithms by as much. */
static inline long most_information(float about, long first_whole, long second_whole, ecga_pairs pairs) {
  const float part = min(about / about_times_log(pairs.individuals) + 0x1p-17f, 1.0f);
  return pairs.all - first_whole - second_whole + (long)(part * (float)pairs.all);
}

/* Pairs of trees with groups that greedy might merge, into a list of clashes; work-group (first, second) a pair,
 * where the second is one of `fresh` on. Nothing in two blocks shares more information than the blocks do, which settles nearly all of them. */
kernel FORECAST_REQUIRE void check_trees(global const uint* counts, global const ecga_block* blocks,
                                         global const ecga_tree* trees, global const long* logarithms,
                                         global ecga_edge* clashes, ecga_pairs pairs) {
  local uint table[PATTERNS * PITCH];
  local uint patterns[PATTERNS];
  local long parts[PATTERNS];
  local float abouts[PATTERNS];
  local uint open[ECGA_TREE_NODES * ECGA_TREE_NODES];
  local uint open_count;
  const uint first = (uint)get_group_id(0);
  const uint second = pairs.fresh + (uint)get_group_id(1);
  if (first >= second) return;
  const long first_whole = trees[first].whole;
  const long second_whole = trees[second].whole;
  if (ecga_most_gain(pairs.all, first_whole, second_whole, pairs.unit, 1u, 1u) <= 0) return;
  const ecga_block a = blocks[first];
  const ecga_block b = blocks[second];
  const uint item = (uint)get_local_id(0);
  if (item == 0u) open_count = 0u;
  /* Individuals with all loci of subset `item` of the first block and n of the second. */
  uint line[PATTERNS];
  const uint in_first = item > 0u && item < 1u << a.size ? 1u : 0u;
  line[0] = item == 0u ? pairs.individuals : 0u;
  if (in_first != 0u) line[0] = counts[(ulong)(a.row + item - 1u) * (pairs.stride + 1ul)];
#pragma unroll
  for (uint n = 1; n < PATTERNS; ++n) {
    const uint row = b.row + n - 1u;
    line[n] = 0u;
    if (n < 1u << b.size && (item == 0u || in_first != 0u))
      line[n] = counts[(ulong)row * pairs.stride + (item == 0u ? row : a.row + item - 1u)];
  }
#pragma unroll
  for (uint step = 1u; step < PATTERNS; step <<= 1) {
#pragma unroll
    for (uint n = 0; n < PATTERNS; ++n)
      if ((n & step) == 0u) line[n] -= line[n | step];
  }
#pragma unroll
  for (uint n = 0; n < PATTERNS; ++n) table[n * PITCH + item] = line[n];
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint m = 0; m < PATTERNS; ++m) line[m] = table[item * PITCH + m];
#pragma unroll
  for (uint step = 1u; step < PATTERNS; step <<= 1) {
#pragma unroll
    for (uint m = 0; m < PATTERNS; ++m)
      if ((m & step) == 0u) line[m] -= line[m | step];
  }
  float sum_of_line = 0.0f;
#pragma unroll
  for (uint m = 0; m < PATTERNS; ++m) {
    sum_of_line += about_times_log(line[m]);
    table[item * PITCH + m] = line[m];
  }
  abouts[item] = sum_of_line;
  barrier(CLK_LOCAL_MEM_FENCE);
  float about = 0.0f;
  for (uint i = 0; i < PATTERNS; ++i) about += abouts[i];
  const long shared = most_information(about, first_whole, second_whole, pairs);
  long sum = 0;
  long both = 0;
  const uint first_count = trees[first].count;
  const uint second_count = trees[second].count;
  for (uint k = item; k < first_count * second_count; k += PATTERNS) {
    const uint i = k % first_count;
    const uint j = k / first_count;
    const uint one = trees[first].subset[i];
    const uint other = trees[second].subset[j];
    if (popcount(one) + popcount(other) > pairs.most_loci) continue;
    const long most = min(shared, min(trees[first].entropy[i], trees[second].entropy[j])) -
                      ecga_penalty(pairs.unit, popcount(one), popcount(other));
    if (ecga_may_clash(most, trees[first].born[i], trees[first].dead[i], trees[second].born[j],
                       trees[second].dead[j]) != 0u)
      open[atomic_inc(&open_count)] = k;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  /* What is left is counted exactly, by all work-items together. */
  for (uint c = 0; c < open_count; ++c) {
    const uint i = open[c] % first_count;
    const uint j = open[c] / first_count;
    const uint one = trees[first].subset[i];
    const uint other = trees[second].subset[j];
    const uint loci = popcount(one);
    const uint entries = 1u << (loci + popcount(other));
    sum = 0;
    if (entries <= PATTERNS) {
      patterns[item] = item < entries ? count_of_product(counts, a, b, spread(item, one), spread(item >> loci, other),
                                                         pairs)
                                      : 0u;
      for (uint step = 1u; step < entries; step <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < entries && (item & step) == 0u) patterns[item] -= patterns[item | step];
      }
      sum = logarithms[patterns[item]];
    } else {
      for (uint m = item; m < entries; m += PATTERNS)
        sum += logarithms[count_of_pattern(table, spread(m, one), spread(m >> loci, other),
                                           ((1u << a.size) - 1u) & ~one, ((1u << b.size) - 1u) & ~other)];
    }
    parts[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0u) {
      both = 0;
      for (uint n = 0; n < PATTERNS; ++n) both += parts[n];
      const long gain = ecga_gain(pairs.all, pairs.all - trees[first].entropy[i], pairs.all - trees[second].entropy[j],
                                  both, pairs.unit, loci, popcount(other));
      if (ecga_may_clash(gain, trees[first].born[i], trees[first].dead[i], trees[second].born[j],
                         trees[second].dead[j]) != 0u) {
        const uint index = atomic_inc(&clashes[0].first);
        if (index < pairs.most_edges) {
          clashes[index + 1u].first = ecga_pack_clash(first, one);
          clashes[index + 1u].second = ecga_pack_clash(second, other);
          clashes[index + 1u].gain = gain;
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
