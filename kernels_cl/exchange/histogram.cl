/* A histogram of the uses of links in slots, for the conflicts of an individual; see shared/exchange/umda.h. */
#ifndef CLOPT_EXCHANGE_HISTOGRAM_CL
#define CLOPT_EXCHANGE_HISTOGRAM_CL

#include "common/reduce.cl"
#include "exchange/fitness_group.cl"
#include "exchange/row.cl"

/* Loops that only the rare ways of counting take are not unrolled, since a kernel has the registers of all its ways:
 * more than 32 would leave fewer work-items at work. */

/* Adds the uses of the genes whose slot is from first_slot to below end_slot. count: words of the histogram; a link has
 * a byte, four to a word. Returns how many uses a work-item added. */
static inline uint add_uses(global const uint* genes, exchange_row layout, global const exchange_gene* table,
                            global const ushort* paths, uint gene_count, uint first_slot, uint end_slot, uint row_bytes,
                            local uint* uses) {
  uint added = 0;
#pragma unroll 1
  for (uint i = (uint)get_local_id(0); i < gene_count; i += (uint)get_local_size(0)) {
    const uint gene = read_gene(genes, layout, i);
    const uint slot = exchange_gene_slot(gene);
    if (slot < first_slot || slot >= end_slot) continue;
    const uint hops = table[i].hops;
    global const ushort* path = paths + table[i].first + exchange_gene_path(gene) * hops;
    const uint row = (slot - first_slot) * row_bytes;
#pragma unroll 1
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
#pragma unroll 1
  for (uint i = (uint)get_local_id(0); i < gene_count; i += (uint)get_local_size(0)) {
    const uint gene = read_gene(genes, layout, i);
    if (exchange_gene_slot(gene) != slot) continue;
    const uint hops = table[i].hops;
    global const ushort* path = paths + table[i].first + exchange_gene_path(gene) * hops;
#pragma unroll 1
    for (uint hop = 0; hop < hops; ++hop)
      if (path[hop] - first_link < link_count) atomic_inc(uses + path[hop] - first_link);
  }
}

/* What follows an individual's counters that overflowed. */
#define FITNESS_LOST 0xfffffffffffffffful

/* The conflicts of an individual, in every work-item, by counters of a byte, or FITNESS_LOST. The `words` words of
 * `uses` take some slots at a time, of (links + 3) / 4 words each, at least one slot; they are free after a barrier. */
static inline ulong conflicts_by_bytes(subgroup sg, global const uint* genes, exchange_row layout,
                                       global const exchange_gene* table, global const ushort* paths,
                                       exchange_population population, uint words, local uint* uses,
                                       local ulong* parts) {
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint row_words = (population.links + 3u) / 4u;
  const uint slots_at_once = min(words / row_words, population.slots);
  uint lost = 0;
  ulong conflicts = 0;
  for (uint first = 0; first < population.slots; first += slots_at_once) {
    const uint end = min(first + slots_at_once, population.slots);
    const uint used = (end - first) * row_words;
    for (uint i = item; i < used; i += items) uses[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    lost += add_uses(genes, layout, table, paths, population.genes, first, end, 4u * row_words, uses);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = item; i < used; i += items) {
      const uint word = uses[i];
      lost -= exchange_sum_of_bytes(word);
      for (uint k = 0; k < 4; ++k) conflicts += exchange_conflicts_of(word >> 8 * k & 0xffu);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  /* A byte that overflowed has lost uses, which nothing gives back. */
  lost = group_reduce_add_uint(sg, lost, (local uint*)parts);
  conflicts = group_reduce_add_ulong(sg, conflicts, parts);
  return lost == 0 ? conflicts : FITNESS_LOST;
}

/* The conflicts of an individual, in every work-item, by words: a slot and `words` links at a time. */
static inline ulong conflicts_by_words(subgroup sg, global const uint* genes, exchange_row layout,
                                       global const exchange_gene* table, global const ushort* paths,
                                       exchange_population population, uint words, local uint* uses,
                                       local ulong* parts) {
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  ulong total = 0;
  for (uint slot = 0; slot < population.slots; ++slot)
    for (uint link = 0; link < population.links; link += words) {
      const uint count = min(words, population.links - link);
      for (uint i = item; i < count; i += items) uses[i] = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      add_uses_of_slot(genes, layout, table, paths, population.genes, slot, link, count, uses);
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint i = item; i < count; i += items) total += (ulong)uses[i] * (uses[i] - 1u) / 2u;
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

/* Byte k of a word: an instruction, where a shift and a mask would be two. */
#ifdef CLOPT_SUBGROUP_PTX
static inline uint byte_of(uint word, uint k) {
  uint byte;
  asm("prmt.b32 %0, %1, 0, %2;" : "=r"(byte) : "r"(word), "r"(0x4440u | k));
  return byte;
}
#else
static inline uint byte_of(uint word, uint k) { return word >> 8u * k & 0xffu; }
#endif

/* Adds the first places of an element with a byte each. */
static inline void add_bytes(local uint* row, ulong element, uint places, uint one) {
  const uint low = (uint)element;
  const uint high = (uint)(element >> 32);
  atomic_add(row + byte_of(low, 0u), one);
  if (places < 2u) return;
  atomic_add(row + byte_of(low, 1u), one);
  if (places < 3u) return;
  atomic_add(row + byte_of(low, 2u), one);
  if (places < 4u) return;
  atomic_add(row + byte_of(low, 3u), one);
  if (places < 5u) return;
  atomic_add(row + byte_of(high, 0u), one);
  if (places < 6u) return;
  atomic_add(row + byte_of(high, 1u), one);
  if (places < 7u) return;
  atomic_add(row + byte_of(high, 2u), one);
  if (places < 8u) return;
  atomic_add(row + byte_of(high, 3u), one);
}

/* The same with 16 bits each. */
static inline void add_halves(local uint* row, ulong element, uint places, uint one) {
  const uint low = (uint)element;
  const uint high = (uint)(element >> 32);
  atomic_add(row + (low & 0xffffu), one);
  if (places < 2u) return;
  atomic_add(row + (low >> 16), one);
  if (places < 3u) return;
  atomic_add(row + (high & 0xffffu), one);
  if (places < 4u) return;
  atomic_add(row + (high >> 16), one);
}

static inline void add_places(local uint* row, ulong element, uint places_an_element, uint places, uint one) {
  if (places_an_element == 8u)
    add_bytes(row, element, places, one);
  else
    add_halves(row, element, places, one);
}

/* Adds the elements of a path after the first. */
static inline void add_more_places(local uint* row, global const ulong* own, uint places_an_element, uint places,
                                   uint one) {
  for (uint done = places_an_element; done < places; done += places_an_element)
    add_places(row, *++own, places_an_element, places - done, one);
}

/* Adds the uses of a work-item's genes, from begin to below end, to counters of 4 bits. What the next gene needs is on
 * its way meanwhile. The compiler has to know how the genes lie (row.cl), and places_an_element. */
static inline void add_footprints(global const uint* genes, exchange_row layout, uint known, uint begin, uint end,
                                  global const exchange_footprint* footprints, global const ulong* elements,
                                  uint places_an_element, uint row_words, local uint* uses) {
  uint i = begin + (uint)get_local_id(0);
  if (i >= end) return;
  uint gene = read_known(genes, layout, known, i);
  exchange_footprint footprint = footprints[i];
  for (;;) {
    const uint hops = exchange_footprint_hops(footprint.x);
    const uint place = exchange_first_element(footprint.x) +
                       exchange_gene_path(gene) * ((hops + places_an_element - 1u) / places_an_element);
    const ulong element = elements[place];
    const uint slot = exchange_gene_slot(gene);
    local uint* row = uses + (slot / EXCHANGE_SLOTS_A_WORD * row_words + footprint.y);
    const uint one = 1u << 4u * (slot % EXCHANGE_SLOTS_A_WORD);
    i += (uint)get_local_size(0);
    if (i < end) {
      gene = read_known(genes, layout, known, i);
      footprint = footprints[i];
    }
    add_places(row, element, places_an_element, hops, one);
    if (hops > places_an_element) add_more_places(row, elements + place, places_an_element, hops, one);
    if (i >= end) break;
  }
}

/* Counts the uses of links by counters of 4 bits, of all slots at once. sums: two words, which become 0. */
static inline void count_by_footprints(global const uint* genes, exchange_row layout,
                                       global const exchange_footprint* footprints, global const ulong* elements,
                                       exchange_population population, uint places_an_element, uint row_words,
                                       local uint* uses, local uint* sums) {
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint used = exchange_rows(population.slots) * row_words;
  for (uint i = item; i < used; i += items) uses[i] = 0;
  if (item == 0) sums[0] = sums[1] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint all = population.genes;
  const uint halves = min(2u * layout.first_high, all);
  if (places_an_element != 8u) {
    add_footprints(genes, layout, GENES_ARE_ANY, 0, all, footprints, elements, 4u, row_words, uses);
  } else if (layout.pairs == 0) {
    add_footprints(genes, layout, GENES_ARE_WORDS, 0, all, footprints, elements, 8u, row_words, uses);
  } else {
    add_footprints(genes, layout, GENES_ARE_HALVES, 0, halves, footprints, elements, 8u, row_words, uses);
    add_footprints(genes, layout, GENES_ARE_ANY, halves, all, footprints, elements, 8u, row_words, uses);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

/* The conflicts of an individual, in every work-item, after count_by_footprints, or FITNESS_LOST. What local memory
 * holds fits 32 bits, squares included. */
static inline ulong conflicts_of_footprints(subgroup sg, exchange_population population, uint row_words,
                                            local const uint* uses, local uint* sums) {
  const uint items = (uint)get_local_size(0);
  const uint used = exchange_rows(population.slots) * row_words;
  uint sum = 0;
  uint squares = 0;
  for (uint i = (uint)get_local_id(0); i < used; i += items) add_counters(uses[i], &sum, &squares);
  sum = subgroup_reduce_add_uint(sg, sum);
  squares = subgroup_reduce_add_uint(sg, squares);
  if (sg.lane == 0) {
    atomic_add(sums, sum);
    atomic_add(sums + 1, squares);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint counted = sums[0];
  return counted == population.hops ? (sums[1] - counted) / 2u : FITNESS_LOST;
}

/* The conflicts of an individual, in every work-item, after count_by_footprints. row_words: words for all places of
 * links in as many slots as share words, or 0 to count link by link. */
static inline ulong conflicts_of(subgroup sg, global const uint* genes, exchange_row layout,
                                 global const exchange_gene* table, global const ushort* paths,
                                 exchange_population population, uint row_words, uint words, local uint* uses,
                                 local ulong* parts) {
  ulong conflicts = row_words != 0
                        ? conflicts_of_footprints(sg, population, row_words, uses, (local uint*)parts)
                        : conflicts_by_bytes(sg, genes, layout, table, paths, population, words, uses, parts);
  if (conflicts == FITNESS_LOST)
    conflicts = conflicts_by_words(sg, genes, layout, table, paths, population, words, uses, parts);
  return conflicts;
}

#endif
