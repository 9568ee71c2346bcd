/* A histogram of the uses of links in slots, for the conflicts of an individual; see shared/exchange_umda.h. */
#ifndef CLOPT_EXCHANGE_HISTOGRAM_CL
#define CLOPT_EXCHANGE_HISTOGRAM_CL

#include "common/reduce.cl"
#include "shared/exchange_umda.h"

#define FITNESS_GROUP_SIZE 256

/* Adds the uses of the genes whose slot is from first_slot to below end_slot. count: words of the histogram; a link has
 * a byte, four to a word. Returns how many uses a work-item added. */
static inline uint add_uses(global const uint* genes, global const exchange_gene* table, global const ushort* paths,
                            uint gene_count, uint first_slot, uint end_slot, uint row_bytes, local uint* uses) {
  uint added = 0;
  for (uint i = (uint)get_local_id(0); i < gene_count; i += (uint)get_local_size(0)) {
    const uint gene = genes[i];
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
static inline void add_uses_of_slot(global const uint* genes, global const exchange_gene* table,
                                    global const ushort* paths, uint gene_count, uint slot, uint first_link,
                                    uint link_count, local uint* uses) {
  for (uint i = (uint)get_local_id(0); i < gene_count; i += (uint)get_local_size(0)) {
    const uint gene = genes[i];
    if (exchange_gene_slot(gene) != slot) continue;
    const uint hops = table[i].hops;
    global const ushort* path = paths + table[i].first + exchange_gene_path(gene) * hops;
    for (uint hop = 0; hop < hops; ++hop)
      if (path[hop] - first_link < link_count) atomic_inc(uses + path[hop] - first_link);
  }
}

/* The conflicts of an individual, in every work-item, link by link. The `words` words of `uses` take some slots at a
 * time, of (links + 3) / 4 words each, at least one slot; they are free after a barrier. */
static inline ulong conflicts_by_links(subgroup sg, global const uint* genes, global const exchange_gene* table,
                                       global const ushort* paths, exchange_population population, uint words,
                                       local uint* uses, local ulong* parts) {
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
    const uint added = add_uses(genes, table, paths, population.genes, first, end, 4u * row_words, uses);
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
        add_uses_of_slot(genes, table, paths, population.genes, slot, link, count, uses);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = item; i < count; i += items) total += (ulong)uses[i] * (uses[i] - 1u) / 2u;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return group_reduce_add_ulong(sg, total, parts);
}

/* Adds the counters of a word to a sum, and their squares to another. */
static inline void add_counters(uint word, uint* sum, uint* squares) {
  const uint even = word & 0x0f0f0f0fu;
  const uint odd = word >> 4 & 0x0f0f0f0fu;
#ifdef CLOPT_SUBGROUP_PTX
  asm("dp4a.u32.u32 %0, %1, %1, %0;" : "+r"(*squares) : "r"(even));
  asm("dp4a.u32.u32 %0, %1, %1, %0;" : "+r"(*squares) : "r"(odd));
  asm("dp4a.u32.u32 %0, %1, %2, %0;" : "+r"(*sum) : "r"(even + odd), "r"(0x01010101u));
#else
  for (uint i = 0; i < 32u; i += 8u) {
    const uint a = even >> i & 0xffu;
    const uint b = odd >> i & 0xffu;
    *squares += a * a + b * b;
  }
  *sum += exchange_sum_of_bytes(even + odd);
#endif
}

/* Adds the first places of an element, at most as many as it has. */
static inline void add_places(local uint* row, ulong element, uint places, uint is_wide, uint one) {
  const uint low = (uint)element;
  const uint high = (uint)(element >> 32);
  if (is_wide != 0) {
    atomic_add(row + (low & 0xffffu), one);
    if (places > 1u) atomic_add(row + (low >> 16), one);
    if (places > 2u) atomic_add(row + (high & 0xffffu), one);
    if (places > 3u) atomic_add(row + (high >> 16), one);
    return;
  }
  atomic_add(row + (low & 0xffu), one);
  if (places < 2u) return;
  atomic_add(row + (low >> 8 & 0xffu), one);
  if (places < 3u) return;
  atomic_add(row + (low >> 16 & 0xffu), one);
  if (places < 4u) return;
  atomic_add(row + (low >> 24), one);
  if (places < 5u) return;
  atomic_add(row + (high & 0xffu), one);
  if (places < 6u) return;
  atomic_add(row + (high >> 8 & 0xffu), one);
  if (places < 7u) return;
  atomic_add(row + (high >> 16 & 0xffu), one);
  if (places < 8u) return;
  atomic_add(row + (high >> 24), one);
}

/* Adds the uses of a work-item's genes to counters of 4 bits. What the next gene needs is on its way meanwhile. */
static inline void add_footprints(global const uint* genes, global const exchange_footprint* footprints,
                                  global const ulong* elements, uint gene_count, uint row_words, local uint* uses) {
  uint i = (uint)get_local_id(0);
  if (i >= gene_count) return;
  uint gene = genes[i];
  exchange_footprint footprint = footprints[i];
  for (;;) {
    const uint slot = exchange_gene_slot(gene);
    const uint is_wide = footprint.y & EXCHANGE_WIDE_PLACES;
    uint hops = exchange_footprint_hops(footprint.x);
    global const ulong* own = elements + exchange_first_element(footprint.x) +
                              exchange_gene_path(gene) * exchange_elements(hops, footprint.y);
    ulong element = *own;
    local uint* row =
        uses + slot / EXCHANGE_SLOTS_A_WORD * row_words + exchange_lowest_place(footprint.y);
    const uint one = 1u << 4u * (slot % EXCHANGE_SLOTS_A_WORD);
    i += (uint)get_local_size(0);
    if (i < gene_count) {
      gene = genes[i];
      footprint = footprints[i];
    }
    const uint places = is_wide != 0 ? 4u : 8u;
    for (;;) {
      add_places(row, element, hops, is_wide, one);
      if (hops <= places) break;
      hops -= places;
      element = *++own;
    }
    if (i >= gene_count) break;
  }
}

/* Sums over the counters of 4 bits, of all slots at once: of the counters in the lower half, of their squares in the
 * upper one. */
static inline ulong sums_by_footprints(subgroup sg, global const uint* genes,
                                       global const exchange_footprint* footprints, global const ulong* elements,
                                       exchange_population population, uint row_words, local uint* uses,
                                       local ulong* parts) {
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint used = (population.slots + EXCHANGE_SLOTS_A_WORD - 1u) / EXCHANGE_SLOTS_A_WORD * row_words;
  for (uint i = item; i < used; i += items) uses[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  add_footprints(genes, footprints, elements, population.genes, row_words, uses);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  uint squares = 0;
  for (uint i = item; i < used; i += items) add_counters(uses[i], &sum, &squares);
  return group_reduce_add_ulong(sg, (ulong)squares << 32 | sum, parts);
}

/* The conflicts of an individual, in every work-item. row_words: words for all places of links in as many slots as
 * share words, or 0 to count link by link. */
static inline ulong conflicts_of(subgroup sg, global const uint* genes, global const exchange_footprint* footprints,
                                 global const ulong* elements, global const exchange_gene* table,
                                 global const ushort* paths, exchange_population population, uint row_words,
                                 uint words, local uint* uses, local ulong* parts) {
  if (row_words != 0) {
    const ulong sums = sums_by_footprints(sg, genes, footprints, elements, population, row_words, uses, parts);
    const uint counted = (uint)(sums & 0xffffffffu);
    /* A counter that overflowed has lost uses, which nothing gives back: then they are counted link by link. */
    if (counted == population.hops) return ((sums >> 32) - counted) / 2u;
  }
  return conflicts_by_links(sg, genes, table, paths, population, words, uses, parts);
}

#endif
