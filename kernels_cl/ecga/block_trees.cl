/* Whether greedy stays within blocks of loci that are known beforehand, such as the last generation's groups. */
#include "ecga/edges.cl"
#include "ecga/logarithms.cl"
#include "shared/ecga/ecga.h"

#define TREE_REQUIRE __attribute__((reqd_work_group_size(32, 1, 1)))
#define PATTERNS ECGA_BLOCK_PATTERNS
/* A column more, so that work-items that read columns meet in no bank. */
#define PITCH (PATTERNS + 1u)

/* The tree of each block, and the ones of its loci. Empties the list of clashes. `pairs` has blocks for groups. Launched
 * with a work-group of 32 work-items for each block. */
kernel TREE_REQUIRE void grow_trees(global const uint* counts, global const ecga_block* blocks,
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
      sum += logarithm_of(logarithms, individuals, pairs.individuals);
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

/* Makes of the individuals that have all loci of a subset, for each subset, those that have exactly these loci. Not a
 * function: clang's code for NVIDIA keeps the counts in registers only where the loops' ends are known before it
 * inlines. */
#define COUNT_PATTERNS(counts, size)                           \
  _Pragma("unroll")                                            \
  for (uint step = 1u; step < (size); step <<= 1) {            \
    _Pragma("unroll")                                          \
    for (uint m = 0; m < (size); ++m)                          \
      if ((m & step) == 0u) (counts)[m] -= (counts)[m | step]; \
  }

/* Lists the individuals with each pattern of two blocks. \returns the sum of T over these. */
static inline long fill_table(local uint* table, local long* parts, global const uint* counts, ecga_block a,
                              ecga_block b, global const long* logarithms, ecga_pairs pairs) {
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
  COUNT_PATTERNS(line, PATTERNS)
#pragma unroll
  for (uint n = 0; n < PATTERNS; ++n) table[n * PITCH + item] = line[n];
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint m = 0; m < PATTERNS; ++m) line[m] = table[item * PITCH + m];
  COUNT_PATTERNS(line, PATTERNS)
  long sum = 0;
#pragma unroll
  for (uint m = 0; m < PATTERNS; ++m) {
    sum += logarithm_of(logarithms, line[m], pairs.individuals);
    table[item * PITCH + m] = line[m];
  }
  parts[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  long both = 0;
  for (uint i = 0; i < PATTERNS; ++i) both += parts[i];
  return both;
}

/* Patterns of two groups that a work-item counts alone. */
#define FEW_PATTERNS 16u
/* Pairs of groups of two trees. */
#define MOST_OPEN (ECGA_TREE_NODES * ECGA_TREE_NODES)

/* Two groups of two trees, by their loci in their blocks. */
struct group_pair {
  uint one;
  uint other;
  uint loci; /* of the first group */
  uint entries;
};
typedef struct group_pair group_pair;

static inline group_pair pair_of(global const ecga_tree* first, global const ecga_tree* second, uint k) {
  group_pair pair;
  pair.one = first->subset[k % first->count];
  pair.other = second->subset[k / first->count];
  pair.loci = popcount(pair.one);
  pair.entries = 1u << (pair.loci + popcount(pair.other));
  return pair;
}

/* The sum of T over the patterns of two groups that have few. */
static inline long sum_of_few(global const uint* counts, ecga_block a, ecga_block b, group_pair pair,
                              global const long* logarithms, ecga_pairs pairs) {
  uint patterns[FEW_PATTERNS];
#pragma unroll
  for (uint m = 0; m < FEW_PATTERNS; ++m)
    patterns[m] = m < pair.entries ? count_of_product(counts, a, b, spread(m, pair.one),
                                                      spread(m >> pair.loci, pair.other), pairs)
                                   : 0u;
  COUNT_PATTERNS(patterns, FEW_PATTERNS)
  long sum = 0;
#pragma unroll
  for (uint m = 0; m < FEW_PATTERNS; ++m) sum += logarithm_of(logarithms, patterns[m], pairs.individuals);
  return sum;
}

/* The sum of T over the patterns of two groups, by all work-items together. */
static inline long sum_of_many(local const uint* table, local uint* patterns, local long* parts,
                               global const uint* counts, ecga_block a, ecga_block b, group_pair pair,
                               global const long* logarithms, ecga_pairs pairs) {
  const uint item = (uint)get_local_id(0);
  long sum = 0;
  if (pair.entries <= PATTERNS) {
    patterns[item] = item < pair.entries ? count_of_product(counts, a, b, spread(item, pair.one),
                                                            spread(item >> pair.loci, pair.other), pairs)
                                         : 0u;
    for (uint step = 1u; step < pair.entries; step <<= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (item < pair.entries && (item & step) == 0u) patterns[item] -= patterns[item | step];
    }
    sum = logarithm_of(logarithms, patterns[item], pairs.individuals);
  } else {
    for (uint m = item; m < pair.entries; m += PATTERNS)
      sum += logarithm_of(logarithms,
                          count_of_pattern(table, spread(m, pair.one), spread(m >> pair.loci, pair.other),
                                           ((1u << a.size) - 1u) & ~pair.one, ((1u << b.size) - 1u) & ~pair.other),
                          pairs.individuals);
  }
  parts[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  long all = 0;
  for (uint n = 0; n < PATTERNS; ++n) all += parts[n];
  return all;
}

/* Adds two groups to the list of clashes if greedy might merge them. k: their nodes. */
static inline void add_clash(global const ecga_tree* trees, uint first, uint second, uint k, long sum,
                              global ecga_edge* clashes, ecga_pairs pairs) {
  global const ecga_tree* one = trees + first;
  global const ecga_tree* other = trees + second;
  const uint i = k % one->count;
  const uint j = k / one->count;
  const long gain = ecga_gain(pairs.all, pairs.all - one->entropy[i], pairs.all - other->entropy[j], sum, pairs.unit,
                              popcount(one->subset[i]), popcount(other->subset[j]));
  if (ecga_may_clash(gain, one->born[i], one->dead[i], other->born[j], other->dead[j]) == 0u) return;
  add_edge(clashes, ecga_pack_clash(first, one->subset[i]), ecga_pack_clash(second, other->subset[j]), gain,
           pairs.most_edges);
}

/* Pairs of trees with groups that greedy might merge, into a list of clashes; work-group (first, second) a pair,
 * where the second is one of `fresh` on. Nothing in two blocks shares more information than the blocks do, which settles
 * nearly all of them. Launched with 32 work-items for each (earlier block, new block). */
kernel TREE_REQUIRE void check_trees(global const uint* counts, global const ecga_block* blocks,
                                         global const ecga_tree* trees, global const long* logarithms,
                                         global ecga_edge* clashes, ecga_pairs pairs) {
  local uint table[PATTERNS * PITCH];
  local uint patterns[PATTERNS];
  local long parts[PATTERNS];
  local uint open[MOST_OPEN];
  local uint few_count;
  local uint many_count;
  const uint first = (uint)get_group_id(0);
  const uint second = pairs.fresh + (uint)get_group_id(1);
  if (first >= second) return;
  const long first_whole = trees[first].whole;
  const long second_whole = trees[second].whole;
  if (ecga_most_gain(pairs.all, first_whole, second_whole, pairs.unit, 1u, 1u) <= 0) return;
  const ecga_block a = blocks[first];
  const ecga_block b = blocks[second];
  const uint item = (uint)get_local_id(0);
  if (item == 0u) few_count = many_count = 0u;
  const long both = fill_table(table, parts, counts, a, b, logarithms, pairs);
  const long shared = pairs.all - first_whole - second_whole + both;
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
                       trees[second].dead[j]) == 0u)
      continue;
    /* Those with few patterns from the list's begin on, the others from its end back. */
    if (1u << (popcount(one) + popcount(other)) <= FEW_PATTERNS)
      open[atomic_inc(&few_count)] = k;
    else
      open[MOST_OPEN - 1u - atomic_inc(&many_count)] = k;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  /* What is left is counted exactly: small pairs by a work-item each, then larger ones by all together. */
  for (uint c = item; c < few_count; c += PATTERNS) {
    const group_pair pair = pair_of(trees + first, trees + second, open[c]);
    add_clash(trees, first, second, open[c], sum_of_few(counts, a, b, pair, logarithms, pairs), clashes, pairs);
  }
  for (uint c = 0; c < many_count; ++c) {
    const uint k = open[MOST_OPEN - 1u - c];
    const group_pair pair = pair_of(trees + first, trees + second, k);
    const long sum = sum_of_many(table, patterns, parts, counts, a, b, pair, logarithms, pairs);
    if (item == 0u) add_clash(trees, first, second, k, sum, clashes, pairs);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
