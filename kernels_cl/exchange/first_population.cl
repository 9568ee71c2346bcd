/* The first population of the UMDA on a device; see sample.cl. */
#include "exchange/row.cl"

/* The first population, individual i in row i of `genes`. table: what genes stand for; row: how rows hold genes.
 * Launched over the genes and, in the second dimension, individuals. */
kernel void first_population(global uint* genes, global const exchange_gene* table, exchange_population population,
                             exchange_row row) {
  const uint gene = (uint)get_global_id(0);
  const uint individual = (uint)get_global_id(1);
  if (gene >= population.genes) return;
  write_gene(genes + (ulong)individual * row.words, row, gene,
             exchange_first_gene(population, individual, gene, table[gene].paths));
}
