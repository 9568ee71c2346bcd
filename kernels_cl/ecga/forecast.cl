/* Whether greedy stays within blocks of loci that are known beforehand, such as the last generation's groups. */
#include "shared/ecga.h"

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
  if (subset > 0u && subset < entries && (subset & (subset - 1u)) == 0u)
    ones[lists[block.loci + 31u - clz(subset)]] = count;
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
  trees[index] = ecga_grow_tree(own, block.size, pairs);
}

/* What subsets of two blocks gain by merging; table: individuals with each pattern of the second and of the first. */
static inline long gain_of_subsets(local const uint* table, global const long* logarithms, uint first_all,
                                   uint second_all, uint first, uint second, long first_entropy, long second_entropy,
                                   ecga_pairs pairs) {
  const uint first_rest = first_all & ~first;
  const uint second_rest = second_all & ~second;
  long sum = 0;
  uint a = 0;
  do {
    uint b = 0;
    do {
      uint individuals = 0;
      uint x = 0;
      do {
        uint y = 0;
        do {
          individuals += table[(b | y) * PITCH + (a | x)];
          y = (y - second_rest) & second_rest;
        } while (y != 0u);
        x = (x - first_rest) & first_rest;
      } while (x != 0u);
      sum += logarithms[individuals];
      b = (b - second) & second;
    } while (b != 0u);
    a = (a - first) & first;
  } while (a != 0u);
  return ecga_gain(pairs.all, pairs.all - first_entropy, pairs.all - second_entropy, sum, pairs.unit, popcount(first),
                   popcount(second));
}

/* Pairs of trees with groups that greedy might merge, into a list of clashes; work-group (first, second) a pair. Nothing
 * in two blocks shares more information than the blocks do, which settles nearly all of them. */
kernel FORECAST_REQUIRE void check_trees(global const uint* counts, global const ecga_block* blocks,
                                         global const ecga_tree* trees, global const long* logarithms,
                                         global ecga_edge* clashes, ecga_pairs pairs) {
  local uint table[PATTERNS * PITCH];
  local long parts[PATTERNS];
  const uint first = (uint)get_group_id(0);
  const uint second = (uint)get_group_id(1);
  if (first >= second) return;
  const long first_whole = trees[first].whole;
  const long second_whole = trees[second].whole;
  if (ecga_most_gain(pairs.all, first_whole, second_whole, pairs.unit, 1u, 1u) <= 0) return;
  const ecga_block a = blocks[first];
  const ecga_block b = blocks[second];
  const uint item = (uint)get_local_id(0);
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
  long sum = 0;
#pragma unroll
  for (uint m = 0; m < PATTERNS; ++m) {
    sum += logarithms[line[m]];
    table[item * PITCH + m] = line[m];
  }
  parts[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  long both = 0;
  for (uint i = 0; i < PATTERNS; ++i) both += parts[i];
  const long shared = pairs.all - first_whole - second_whole + both;
  const uint first_count = trees[first].count;
  const uint second_count = trees[second].count;
  for (uint k = item; k < first_count * second_count; k += PATTERNS) {
    const uint i = k % first_count;
    const uint j = k / first_count;
    const uint one = trees[first].subset[i];
    const uint other = trees[second].subset[j];
    const uint loci = popcount(one) + popcount(other);
    if (loci > pairs.most_loci) continue;
    const long penalty = ecga_penalty(pairs.unit, popcount(one), popcount(other));
    const long one_entropy = trees[first].entropy[i];
    const long other_entropy = trees[second].entropy[j];
    long gain = min(shared, min(one_entropy, other_entropy)) - penalty;
    const long one_born = trees[first].born[i];
    const long one_dead = trees[first].dead[i];
    const long other_born = trees[second].born[j];
    const long other_dead = trees[second].dead[j];
    if (ecga_may_clash(gain, one_born, one_dead, other_born, other_dead) == 0u) continue;
    gain = gain_of_subsets(table, logarithms, (1u << a.size) - 1u, (1u << b.size) - 1u, one, other, one_entropy,
                           other_entropy, pairs);
    if (ecga_may_clash(gain, one_born, one_dead, other_born, other_dead) == 0u) continue;
    const uint index = atomic_inc(&clashes[0].first);
    if (index >= pairs.most_edges) continue;
    clashes[index + 1u].first = first;
    clashes[index + 1u].second = second;
    clashes[index + 1u].gain = gain;
  }
}
