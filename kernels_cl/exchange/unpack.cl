/* Genes of the UMDA on a device for the host; see sample.cl. */
#include "exchange/row.cl"

/* Writes the genes of individuals from `first` on, a word each, individual after individual. rows: of individuals; row:
 * how they hold genes. Launched over the genes and, in the second dimension, the individuals that are wanted. */
kernel void unpack(global const uint* genes, global const uint* rows, global uint* unpacked, uint first,
                   exchange_population population, exchange_row row) {
  const uint gene = (uint)get_global_id(0);
  const uint individual = (uint)get_global_id(1);
  if (gene >= population.genes) return;
  unpacked[(ulong)individual * population.genes + gene] =
      read_gene(genes + (ulong)rows[first + individual] * row.words, row, gene);
}
