/* Bits from a word of 32 to an element each and back, for the granularity `gene`. */
typedef float real; /* the type of costs, which have no part in it */
#include "shared/genetic/genetic.h"

/* Gives each gene of a population an element of its own. settings: of the packed rows. Launched over the elements. */
kernel void unpack(global const uint* population, global uint* genes, global const genetic_settings* settings) {
  const genetic_settings run = genetic_settings_of(settings);
  const ulong place = get_global_id(0);
  const uint row = genetic_unpacked_row(run);
  const ulong i = place / row;
  const uint gene = (uint)(place % row);
  if (i >= (ulong)run.population * run.islands) return;
  genes[place] = population[i * run.row + gene / 32u] >> gene % 32u & 1u;
}

/* Puts the children of a generation in the place of the population before, as bits. settings: of the packed rows.
 * Launched over the words. */
kernel void pack(global const uint* genes, global uint* population, global const uint* marks,
                 global const genetic_settings* settings, uint generation) {
  const genetic_settings run = genetic_settings_of(settings);
  const ulong word = get_global_id(0);
  uint bits = 0u;
  if (word >= (ulong)run.population * run.islands * run.row || marks[GENETIC_STOP] < generation) return;
  for (uint k = 0u; k < 32u; ++k) bits |= genes[32u * word + k] << k;
  population[word] = bits;
}
