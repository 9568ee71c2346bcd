/* The last launch of a generation of the UMDA on a device; see sample.cl. */
#include "exchange/histogram.cl"

/* Evaluates new individuals, and keeps their conflicts where those of the replaced ones were. genes, footprints,
 * elements, table, paths, row, places_an_element, row_words, words: as for links; spare_rows: the new individuals' rows;
 * replaced: whom they replace; found: the number of the generation that made the first individual without conflicts,
 * plus 1, or 0. Launched with a work-group for each new individual. */
kernel SUBGROUP_REQUIRE void replace(global const uint* genes, global const exchange_footprint* footprints,
                                     global const ulong* elements, global const exchange_gene* table,
                                     global const ushort* paths, global const uint* spare_rows,
                                     global const uint* replaced, global ulong* next_fitness, global uint* found,
                                     exchange_population population, exchange_row row, uint places_an_element,
                                     uint row_words, uint words, local uint* uses) {
  local ulong parts[FITNESS_PARTS];
  global const uint* own = genes + (ulong)spare_rows[get_group_id(0)] * row.words;
  if (row_words != 0)
    count_by_footprints(own, row, footprints, elements, population, places_an_element, row_words, uses,
                        (local uint*)parts);
  SUBGROUP_BEGIN(sg, FITNESS_GROUP_SIZE);
  /* Found again: kept, it would take registers until then. */
  own = genes + (ulong)spare_rows[get_group_id(0)] * row.words;
  const ulong conflicts = conflicts_of(sg, own, row, table, paths, population, row_words, words, uses, parts);
  if (get_local_id(0) != 0 || exchange_is_over(found[0], population)) return;
  next_fitness[replaced[get_group_id(0)]] = conflicts;
  if (conflicts == 0) found[0] = population.generation + 1u;
}
