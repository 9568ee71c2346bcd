/* Conflicts of individuals of the UMDA by a histogram of uses, slot by slot and link by link: a link used u times in a
 * slot makes u (u - 1) / 2 conflicts; see shared/exchange/umda.h. */
#include "exchange/histogram.cl"

/* fitness[i] = the conflicts of individual i, whose genes are in row i of `genes`. Launched with a work-group for each
 * individual, of at most 256 work-items. table: what genes stand for; paths: their links; footprints, elements: the same
 * paths as footprints (shared/exchange/umda.h), of places_an_element places each, 4 or 8. row: how rows hold genes.
 * row_words: words for all places of links in as many slots as share words, or 0 to count link by link alone. words: of
 * local memory, at least (links + 3) / 4. */
kernel SUBGROUP_REQUIRE void links(global const uint* genes, global const exchange_footprint* footprints,
                                   global const ulong* elements, global const exchange_gene* table,
                                   global const ushort* paths, global ulong* fitness, exchange_population population,
                                   exchange_row row, uint places_an_element, uint row_words, uint words,
                                   local uint* uses) {
  local ulong parts[FITNESS_PARTS];
  const ulong individual = get_group_id(0);
  global const uint* own = genes + individual * row.words;
  if (row_words != 0)
    count_by_footprints(own, row, footprints, elements, population, places_an_element, row_words, uses,
                        (local uint*)parts);
  /* Not before, where it would only take registers. */
  SUBGROUP_BEGIN(sg, FITNESS_GROUP_SIZE);
  const ulong conflicts = conflicts_of(sg, own, row, table, paths, population, row_words, words, uses, parts);
  if (get_local_id(0) == 0) fitness[individual] = conflicts;
}
