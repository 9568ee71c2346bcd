/* What pairs of groups gain by merging. */
#include "common/reduce.cl"
#include "ecga/edges.cl"
#include "ecga/logarithms.cl"
#include "shared/ecga/ecga.h"

#define PAIR_GROUP_SIZE 64

/* Empties the list of edges. Launched with one work-item. */
kernel void clear_edges(global ecga_edge* edges) {
  if (get_global_id(0) == 0) edges[0].first = 0;
}

/* sums[i] = the sum of T over the pattern counts of locus i alone. Launched over the loci. */
kernel void locus_sums(global const uint* ones, global const long* logarithms, global long* sums, uint individuals,
                       uint length) {
  const uint i = (uint)get_global_id(0);
  if (i >= length) return;
  sums[i] = logarithm_of(logarithms, ones[i], individuals) +
            logarithm_of(logarithms, individuals - ones[i], individuals);
}

/* Pairs of loci of a list: those from `fresh` to `fresh + fresh_count` with all earlier ones. Launched with
 * a work-item a pair: over (earlier ones, those from `fresh` on). */
kernel void locus_gains(global const uint* counts, global const uint* ones, global const uint* lists,
                        global const long* sums, global const long* logarithms, global ecga_edge* edges,
                        ecga_pairs pairs) {
  const uint j = (uint)get_global_id(0);
  const uint i = pairs.fresh + (uint)get_global_id(1);
  if (i >= pairs.fresh + pairs.fresh_count || j >= i) return;
  const uint second = lists[pairs.partners + i];
  const uint first = lists[pairs.partners + j];
  const uint both = counts[(ulong)second * pairs.stride + first];
  const uint in_first = ones[first];
  const uint in_second = ones[second];
  const uint all = pairs.individuals;
  const long sum = logarithm_of(logarithms, both, all) + logarithm_of(logarithms, in_first - both, all) +
                   logarithm_of(logarithms, in_second - both, all) +
                   logarithm_of(logarithms, all - in_first - in_second + both, all);
  const long gain = ecga_gain(pairs.all, sums[first], sums[second], sum, pairs.unit, 1u, 1u);
  if (gain > 0) add_edge(edges, first, second, gain, pairs.most_edges);
}

/* From how many individuals have all loci of a subset to how many have exactly these (Moebius). */
static inline void count_patterns(local uint* patterns, uint size) {
  const uint entries = 1u << size;
  for (uint step = 1u; step < entries; step <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = (uint)get_local_id(0); k < entries / 2u; k += (uint)get_local_size(0)) {
      const uint low = k & (step - 1u);
      const uint without = (k - low) * 2u + low;
      patterns[without] -= patterns[without + step];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

static inline long sum_of_patterns(local const uint* patterns, uint size, global const long* logarithms,
                                   uint individuals) {
  long sum = 0;
  for (uint m = (uint)get_local_id(0); m < 1u << size; m += (uint)get_local_size(0))
    sum += logarithm_of(logarithms, patterns[m], individuals);
  return sum;
}

/* sums[g] of new groups that have rows. Launched with a work-group of at most 64 work-items for each new group. */
kernel SUBGROUP_REQUIRE void group_sums(global const uint* counts, global const ecga_group* groups,
                                        global const uint* lists, global const long* logarithms, global long* sums,
                                        ecga_pairs pairs) {
  SUBGROUP_BEGIN(sg, PAIR_GROUP_SIZE);
  local long parts[PAIR_GROUP_SIZE + 1];
  local uint patterns[1 << ECGA_MOST_ROW_LOCI];
  const uint one = pairs.fresh + (uint)get_group_id(0);
  const ecga_group a = groups[one];
  const bool is_wanted = a.size <= pairs.most_row_loci;
  const uint size = is_wanted ? a.size : 0u;
  for (uint m = (uint)get_local_id(0); m < 1u << size; m += (uint)get_local_size(0)) {
    const uint row = m == 0u ? 0u : lists[a.rows + m - 1u];
    patterns[m] = m == 0u ? pairs.individuals : counts[(ulong)row * pairs.stride + row];
  }
  count_patterns(patterns, size);
  const long sum = group_reduce_add_long(sg, sum_of_patterns(patterns, size, logarithms, pairs.individuals), parts);
  if (get_local_id(0) == 0 && is_wanted) sums[one] = sum;
}

/* The product counts of subset m of a pair's loci. */
static inline uint count_of_subset(global const uint* counts, global const uint* lists, ecga_group a, ecga_group b,
                                   uint m, ecga_pairs pairs) {
  const uint in_a = m & ((1u << a.size) - 1u);
  const uint in_b = m >> a.size;
  if (m == 0u) return pairs.individuals;
  const uint p = in_a != 0u ? lists[a.rows + in_a - 1u] : lists[b.rows + in_b - 1u];
  const uint q = in_b != 0u ? lists[b.rows + in_b - 1u] : p;
  return counts[ecga_place(p, q, pairs.stride)];
}

/* Pairs of groups that have rows and together few loci, a work-item a pair: (other, new). Each work-item has a column
 * of the local table to itself, so that none waits for another. In work-groups of at most (64, 1). */
kernel void small_pair_gains(global const uint* counts, global const ecga_group* groups, global const uint* lists,
                             global const long* sums, global const long* logarithms, global ecga_edge* edges,
                             ecga_pairs pairs) {
  local uint table[ECGA_SMALL_PATTERNS * PAIR_GROUP_SIZE];
  local uint* patterns = table + get_local_id(0);
  const uint step = PAIR_GROUP_SIZE;
  const uint index = (uint)get_global_id(0);
  if (index >= pairs.partner_count) return;
  const uint one = pairs.fresh + (uint)get_group_id(1);
  const uint other = lists[pairs.partners + index];
  const ecga_group a = groups[one];
  const ecga_group b = groups[other];
  const uint size = a.size + b.size;
  if (ecga_is_small(a, b, pairs) == 0u || ecga_is_wanted(one, other, a, b, sums[one], sums[other], pairs) == 0u) return;
  for (uint m = 0; m < 1u << size; ++m) patterns[m * step] = count_of_subset(counts, lists, a, b, m, pairs);
  for (uint s = 0; s < size; ++s)
    for (uint k = 0; k < 1u << (size - 1u); ++k) {
      const uint low = k & ((1u << s) - 1u);
      const uint without = (k - low) * 2u + low;
      patterns[without * step] -= patterns[(without + (1u << s)) * step];
    }
  long sum = 0;
  for (uint m = 0; m < 1u << size; ++m) sum += logarithm_of(logarithms, patterns[m * step], pairs.individuals);
  add_pair(edges, one, other, a, b, sums, sum, pairs);
}

/* Pairs of groups that have rows and together more loci. Launched with a work-group of at most 64 work-items for each
 * pair: (other, new). */
kernel SUBGROUP_REQUIRE void pair_gains(global const uint* counts, global const ecga_group* groups,
                                        global const uint* lists, global const long* sums,
                                        global const long* logarithms, global ecga_edge* edges, ecga_pairs pairs) {
  SUBGROUP_BEGIN(sg, PAIR_GROUP_SIZE);
  local long parts[PAIR_GROUP_SIZE + 1];
  local uint patterns[ECGA_MOST_PATTERNS];
  const uint one = pairs.fresh + (uint)get_group_id(1);
  const uint other = lists[pairs.partners + get_group_id(0)];
  const ecga_group a = groups[one];
  const ecga_group b = groups[other];
  /* A pair that is not wanted has nothing to count. (It is not a reason to leave: PoCL's work-groups then repeat what
   * their first work-item does after the barriers.) */
  const bool is_wanted = ecga_is_small(a, b, pairs) == 0u && max(a.size, b.size) <= pairs.most_row_loci &&
                         ecga_is_wanted(one, other, a, b, sums[one], sums[other], pairs) != 0u;
  const uint size = is_wanted ? a.size + b.size : 0u;
  for (uint m = (uint)get_local_id(0); m < 1u << size; m += (uint)get_local_size(0))
    patterns[m] = count_of_subset(counts, lists, a, b, m, pairs);
  count_patterns(patterns, size);
  const long sum = group_reduce_add_long(sg, sum_of_patterns(patterns, size, logarithms, pairs.individuals), parts);
  if (get_local_id(0) == 0 && is_wanted) add_pair(edges, one, other, a, b, sums, sum, pairs);
}

/* Patterns of the loci of one or two groups, counted one individual after the other, of the first `individuals`. */
static inline void histogram(local uint* patterns, global const uint* rows, global const uint* lists, ecga_group a,
                             ecga_group b, uint individuals, ecga_pairs pairs) {
  const uint size = a.size + b.size;
  for (uint m = (uint)get_local_id(0); m < 1u << size; m += (uint)get_local_size(0)) patterns[m] = 0u;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint x = (uint)get_local_id(0); 32u * x < individuals; x += (uint)get_local_size(0)) {
    uint words[ECGA_MOST_LOCI];
    for (uint s = 0; s < size; ++s) {
      const uint locus = s < a.size ? lists[a.loci + s] : lists[b.loci + s - a.size];
      words[s] = rows[(ulong)locus * pairs.row_words + x];
    }
    const uint bits = min(32u, individuals - 32u * x);
    for (uint k = 0; k < bits; ++k) {
      uint pattern = 0;
      for (uint s = 0; s < size; ++s) pattern |= (words[s] >> k & 1u) << s;
      atomic_inc(patterns + pattern);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

/* sums[g] of new groups with more loci than `most_row_loci`, counted from the rows of the loci. Launched with a work-group
 * of at most 64 work-items for each new group. */
kernel SUBGROUP_REQUIRE void histogram_sums(global const uint* rows, global const ecga_group* groups,
                                            global const uint* lists, global const long* logarithms, global long* sums,
                                            ecga_pairs pairs) {
  SUBGROUP_BEGIN(sg, PAIR_GROUP_SIZE);
  local long parts[PAIR_GROUP_SIZE + 1];
  local uint patterns[ECGA_MOST_PATTERNS];
  const uint one = pairs.fresh + (uint)get_group_id(0);
  ecga_group a = groups[one];
  ecga_group none = a;
  none.size = 0;
  const bool is_wanted = a.size > pairs.most_row_loci;
  if (!is_wanted) a.size = 0u;
  histogram(patterns, rows, lists, a, none, is_wanted ? pairs.individuals : 0u, pairs);
  const long sum = group_reduce_add_long(sg, sum_of_patterns(patterns, a.size, logarithms, pairs.individuals), parts);
  if (get_local_id(0) == 0 && is_wanted) sums[one] = sum;
}

/* Pairs of which one group at least has more loci than `most_row_loci`, counted from the rows of the loci. Launched with a
 * work-group of at most 64 work-items for each pair: (other, new). */
kernel SUBGROUP_REQUIRE void histogram_gains(global const uint* rows, global const ecga_group* groups,
                                             global const uint* lists, global const long* sums,
                                             global const long* logarithms, global ecga_edge* edges,
                                             ecga_pairs pairs) {
  SUBGROUP_BEGIN(sg, PAIR_GROUP_SIZE);
  local long parts[PAIR_GROUP_SIZE + 1];
  local uint patterns[ECGA_MOST_PATTERNS];
  const uint one = pairs.fresh + (uint)get_group_id(1);
  const uint other = lists[pairs.partners + get_group_id(0)];
  ecga_group a = groups[one];
  ecga_group b = groups[other];
  const bool is_wanted = max(a.size, b.size) > pairs.most_row_loci &&
                         ecga_is_wanted(one, other, a, b, sums[one], sums[other], pairs) != 0u;
  if (!is_wanted) a.size = b.size = 0u;
  const uint size = a.size + b.size;
  histogram(patterns, rows, lists, a, b, is_wanted ? pairs.individuals : 0u, pairs);
  const long sum = group_reduce_add_long(sg, sum_of_patterns(patterns, size, logarithms, pairs.individuals), parts);
  if (get_local_id(0) == 0 && is_wanted) add_pair(edges, one, other, a, b, sums, sum, pairs);
}
