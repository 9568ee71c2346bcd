/* A histogram of the uses of links in slots, for the conflicts of an individual; see shared/exchange_umda.h. */
#ifndef CLOPT_EXCHANGE_HISTOGRAM_CL
#define CLOPT_EXCHANGE_HISTOGRAM_CL

#include "common/reduce.cl"
#include "exchange/row.cl"

#define FITNESS_GROUP_SIZE 256

/* Adds the uses of the genes whose slot is from first_slot to below end_slot. count: words of the histogram; a link has
 * a byte, four to a word. Returns how many uses a work-item added. */
static inline uint add_uses(global const uint* genes, exchange_row layout, global const exchange_gene* table,
                            global const ushort* paths, uint gene_count, uint first_slot, uint end_slot, uint row_bytes,
                            local uint* uses) {
  uint added = 0;
  for (uint i = (uint)get_local_id(0); i < gene_count; i += (uint)get_local_size(0)) {
    const uint gene = read_gene(genes, layout, i);
    const uint slot = exchange_gene_slot(gene);
    if (slot < first_slot || slot >= end_slot) continue;
    const uint hops = table[i].hops;
    global const ushort* path = paths + table[i].first + exchange_gene_path(gene) * hops;
    const uint row = (slot - first_slot) * row_bytes;
    for (uint hop = 0; hop < hops; ++hop) {
      const uint place = row + path[hop];
      atomic_add(uses + place / 4, 1u << 8 * (place & 3u));
    }
    added += hops;
  }
  return added;
}

/* The same for one slot and some links, with a word for each link: for individuals that use a link so often that a byte
 * is too small. */
static inline void add_uses_of_slot(global const uint* genes, exchange_row layout, global const exchange_gene* table,
                                    global const ushort* paths, uint gene_count, uint slot, uint first_link,
                                    uint link_count, local uint* uses) {
  for (uint i = (uint)get_local_id(0); i < gene_count; i += (uint)get_local_size(0)) {
    const uint gene = read_gene(genes, layout, i);
    if (exchange_gene_slot(gene) != slot) continue;
    const uint hops = table[i].hops;
    global const ushort* path = paths + table[i].first + exchange_gene_path(gene) * hops;
    for (uint hop = 0; hop < hops; ++hop)
      if (path[hop] - first_link < link_count) atomic_inc(uses + path[hop] - first_link);
  }
}

/* The conflicts of an individual, in every work-item, link by link. The `words` words of `uses` take some slots at a
 * time, of (links + 3) / 4 words each, at least one slot; they are free after a barrier. */
static inline ulong conflicts_by_links(subgroup sg, global const uint* genes, exchange_row layout,
                                       global const exchange_gene* table, global const ushort* paths,
                                       exchange_population population, uint words, local uint* uses,
                                       local ulong* parts) {
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint row_words = (population.links + 3u) / 4u;
  const uint slots_at_once = min(words / row_words, population.slots);
  ulong total = 0;
  for (uint first = 0; first < population.slots; first += slots_at_once) {
    const uint end = min(first + slots_at_once, population.slots);
    const uint used = (end - first) * row_words;
    for (uint i = item; i < used; i += items) uses[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint added = add_uses(genes, layout, table, paths, population.genes, first, end, 4u * row_words, uses);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint counted = 0;
    ulong conflicts = 0;
    for (uint i = item; i < used; i += items) {
      const uint word = uses[i];
      counted += exchange_sum_of_bytes(word);
      for (uint k = 0; k < 4; ++k) conflicts += exchange_conflicts_of(word >> 8 * k & 0xffu);
    }
    /* A byte that overflowed has lost uses, which nothing gives back. */
    const uint lost = group_reduce_add_uint(sg, added - counted, (local uint*)parts);
    if (lost == 0) total += conflicts;
    for (uint slot = first; lost != 0 && slot < end; ++slot) {
      for (uint link = 0; link < population.links; link += words) {
        const uint count = min(words, population.links - link);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = item; i < count; i += items) uses[i] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        add_uses_of_slot(genes, layout, table, paths, population.genes, slot, link, count, uses);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = item; i < count; i += items) total += (ulong)uses[i] * (uses[i] - 1u) / 2u;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return group_reduce_add_ulong(sg, total, parts);
}

/* Sums over the counters of a word: of the counters in the lower half, of their squares in the upper one. */
static inline ulong sums_of_counters(uint word) {
  const uint even = word & 0x0f0f0f0fu;
  const uint odd = word >> 4 & 0x0f0f0f0fu;
#ifdef CLOPT_SUBGROUP_PTX
  uint squares;
  uint sum;
  asm("{ .reg .u32 t; dp4a.u32.u32 t, %1, %1, 0; dp4a.u32.u32 %0, %2, %2, t; }" : "=r"(squares) : "r"(even), "r"(odd));
  asm("dp4a.u32.u32 %0, %1, %2, 0;" : "=r"(sum) : "r"(even + odd), "r"(0x01010101u));
#else
  uint squares = 0;
  for (uint i = 0; i < 32u; i += 8u) {
    const uint a = even >> i & 0xffu;
    const uint b = odd >> i & 0xffu;
    squares += a * a + b * b;
  }
  const uint sum = exchange_sum_of_bytes(even + odd);
#endif
  return (ulong)squares << 32 | sum;
}

static inline void add_to_word(local uint* row, uint addition) {
  if (addition != 0) atomic_add(row + (addition >> 24), addition & 0xffffffu);
}

/* The sums of the counters of 4 bits, over all slots at once. */
static inline ulong sums_by_words(subgroup sg, global const uint* genes, exchange_row layout, global const uint* packed,
                                  global const exchange_packed_path* additions, exchange_population population,
                                  uint row_words, local uint* uses, local ulong* parts) {
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint used = population.slots * row_words;
  for (uint i = item; i < used; i += items) uses[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = item; i < population.genes; i += items) {
    const uint gene = read_gene(genes, layout, i);
    const uint meaning = packed[i];
    const uint elements = exchange_elements(meaning);
    const uint first = exchange_first_element(meaning) + exchange_gene_path(gene) * elements;
    local uint* row = uses + exchange_gene_slot(gene) * row_words;
    for (uint k = 0; k < elements; ++k) {
      const exchange_packed_path own = additions[first + k];
      add_to_word(row, own.x);
      add_to_word(row, own.y);
      add_to_word(row, own.z);
      add_to_word(row, own.w);
      if (own.w == 0) break;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  ulong sums = 0;
  for (uint i = item; i < used; i += items) sums += sums_of_counters(uses[i]);
  return group_reduce_add_ulong(sg, sums, parts);
}

/* The conflicts of an individual, in every work-item. row_words: words of a slot where links share words, or 0. */
static inline ulong conflicts_of(subgroup sg, global const uint* genes, exchange_row layout, global const uint* packed,
                                 global const exchange_packed_path* additions, global const exchange_gene* table,
                                 global const ushort* paths, exchange_population population, uint row_words, uint words,
                                 local uint* uses, local ulong* parts) {
  if (row_words != 0) {
    const ulong sums = sums_by_words(sg, genes, layout, packed, additions, population, row_words, uses, parts);
    const uint counted = (uint)(sums & 0xffffffffu);
    /* A counter that overflowed has lost uses, which nothing gives back: then they are counted link by link. */
    if (counted == population.hops) return ((sums >> 32) - counted) / 2u;
  }
  return conflicts_by_links(sg, genes, layout, table, paths, population, words, uses, parts);
}

#endif
