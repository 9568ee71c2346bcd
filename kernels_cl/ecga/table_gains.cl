/* The paper's gECGA: a work-group a pair of groups, the population staged through local memory part by part, so that
 * any population fits; counts in local memory; ones looked up in a table of TABLE_BITS bits (FASTCOUNT). */
#include "common/reduce.cl"
#include "ecga/edges.cl"
#include "shared/ecga/ecga.h"

#define TABLE_GROUP_SIZE 256
#define TABLE_STAGE 64u

/* The ones of a word by two or four look-ups. */
#if TABLE_BITS == 8
#define LOOK_UP(table, word) \
  ((uint)table[(word) & 255u] + table[(word) >> 8 & 255u] + table[(word) >> 16 & 255u] + table[(word) >> 24])
#else
#define LOOK_UP(table, word) ((uint)table[(word) & 65535u] + table[(word) >> 16])
#endif

/* Pairs of groups, as in gains.cl, counted from the rows of the loci. table: the ones of all numbers below 2^TABLE_BITS.
 * Launched with a work-group of at most 256 work-items for each pair: (other, new). */
kernel SUBGROUP_REQUIRE void table_gains(global const uint* rows, global const uchar* table,
                                         global const ecga_group* groups, global const uint* lists,
                                         global const long* sums, global const long* logarithms,
                                         global ecga_edge* edges, ecga_pairs pairs) {
  SUBGROUP_BEGIN(sg, TABLE_GROUP_SIZE);
  local long parts[TABLE_GROUP_SIZE + 1];
  local uint patterns[ECGA_MOST_PATTERNS];
  local uint stage[ECGA_MOST_LOCI * TABLE_STAGE];
  const uint one = pairs.fresh + (uint)get_group_id(1);
  const uint other = lists[pairs.partners + get_group_id(0)];
  const ecga_group a = groups[one];
  const ecga_group b = groups[other];
  /* A pair that is not wanted has nothing to count; see pair_gains. */
  const bool is_wanted = ecga_is_wanted(one, other, a, b, sums[one], sums[other], pairs) != 0u;
  const uint size = is_wanted ? a.size + b.size : 0u;
  const uint row_words = is_wanted ? pairs.row_words : 0u;
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
#if TABLE_BITS == 8
  local uchar ones[256];
  for (uint k = item; k < 256u; k += items) ones[k] = table[k];
#else
  global const uchar* ones = table;
#endif
  for (uint m = item; m < 1u << size; m += items) patterns[m] = 0u;
  /* A pattern for each work-item; where there are fewer patterns, several share one pattern's words. */
  const uint sharers = max(items >> size, 1u);
  for (uint x = 0; x < row_words; x += TABLE_STAGE) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint words = min(TABLE_STAGE, row_words - x);
    for (uint k = item; k < size * TABLE_STAGE; k += items) {
      const uint s = k / TABLE_STAGE;
      const uint locus = s < a.size ? lists[a.loci + s] : lists[b.loci + s - a.size];
      if (k % TABLE_STAGE < words) stage[k] = rows[(ulong)locus * pairs.row_words + x + k % TABLE_STAGE];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = item; k < sharers << size; k += items) {
      const uint pattern = k & ((1u << size) - 1u);
      uint count = 0;
      for (uint w = k >> size; w < words; w += sharers) {
        const uint left = pairs.individuals - min(32u * (x + w), pairs.individuals);
        uint word = left >= 32u ? 0xffffffffu : (1u << left) - 1u;
        for (uint s = 0; s < size; ++s) {
          const uint bits = stage[s * TABLE_STAGE + w];
          word &= (pattern >> s & 1u) != 0u ? bits : ~bits;
        }
        count += LOOK_UP(ones, word);
      }
      atomic_add(patterns + pattern, count);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  long own = 0;
  for (uint m = item; m < 1u << size; m += items) own += logarithms[patterns[m]];
  const long sum = group_reduce_add_long(sg, own, parts);
  if (item == 0 && is_wanted) add_pair(edges, one, other, a, b, sums, sum, pairs);
}
