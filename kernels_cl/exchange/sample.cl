/* The whole UMDA on a device (section 4 of the paper): first_population once, then three launches a generation, sample,
 * mutate and replace; see shared/exchange/umda.h.
 *
 * Individuals lie in rows; rows[i] is the number of individual i's. There are rows to spare for the new individuals of
 * a generation, which then take their predecessors' places, whose rows become the spare ones. Fitness, rows and spare
 * rows exist twice, before and after a generation.
 */
#include "exchange/row.cl"

/* What a work-group needs to sample some blocks of a chunk. */
struct sampling {
  uint parents[EXCHANGE_SAMPLE_BLOCKS * EXCHANGE_CHUNK]; /* rows, block by block */
  uint children[EXCHANGE_CHUNK];                /* rows */
};
typedef struct sampling sampling;

/* The winner of a tournament: the first of those with the fewest conflicts. */
static inline uint selected(global const ulong* fitness, exchange_population population, uint chunk, uint block,
                            uint parent) {
  uint winner = 0;
  for (uint i = 0; i < population.tournament; i += 2u) {
    const exchange_two two = exchange_tournament(population, chunk, block, parent, i / 2u);
    if (i == 0 || fitness[two.a] < fitness[winner]) winner = two.a;
    if (i + 1u < population.tournament && fitness[two.b] < fitness[winner]) winner = two.b;
  }
  return winner;
}

/* Selects the parents, a work-item each, and finds the children's rows. */
static inline void prepare_sampling(uint item, uint items, local sampling* s, global const ulong* fitness,
                                    global const uint* rows, global const uint* spare_rows,
                                    const exchange_population* population, uint chunk, uint first_block, uint blocks,
                                    uint count) {
  const uint parents = blocks * EXCHANGE_CHUNK;
  for (uint i = item; i < parents + count; i += items) {
    if (i < parents)
      s->parents[i] =
          rows[selected(fitness, *population, chunk, first_block + i / EXCHANGE_CHUNK, i % EXCHANGE_CHUNK)];
    else
      s->children[i - parents] = spare_rows[chunk * EXCHANGE_CHUNK + i - parents];
  }
}

/* The bytes of two genes that four individuals get of eight parents: from words of parents 0 to 3 and 4 to 7, byte by
 * byte, to words of the individuals. a, b: the genes' words of exchange_sample_words(). */
static inline uint4 sampled_pair(uint4 low, uint4 high, uint a, uint b) {
  return transposed((uint4)(bytes_of(low.x, high.x, a >> 16 & 0x7777u), bytes_of(low.y, high.y, a & 0x7777u),
                            bytes_of(low.z, high.z, b >> 16 & 0x7777u), bytes_of(low.w, high.w, b & 0x7777u)));
}

/* Samples one half of the bytes of a pair of genes for a chunk. pairs: the pair of row 0; stride: words of a row. */
static inline void sample_pair(global uint* pairs, uint stride, local const uint* parents, local const uint* children,
                               random_block words, uint count) {
  const uint a = pairs[(ulong)parents[0] * stride];
  const uint b = pairs[(ulong)parents[1] * stride];
  const uint c = pairs[(ulong)parents[2] * stride];
  const uint d = pairs[(ulong)parents[3] * stride];
  const uint e = pairs[(ulong)parents[4] * stride];
  const uint f = pairs[(ulong)parents[5] * stride];
  const uint g = pairs[(ulong)parents[6] * stride];
  const uint h = pairs[(ulong)parents[7] * stride];
  const uint4 low = transposed((uint4)(a, b, c, d));
  const uint4 high = transposed((uint4)(e, f, g, h));
  uint4 sampled = sampled_pair(low, high, words.a, words.b);
  pairs[(ulong)children[0] * stride] = sampled.x;
  if (count > 1u) pairs[(ulong)children[1] * stride] = sampled.y;
  if (count > 2u) pairs[(ulong)children[2] * stride] = sampled.z;
  if (count > 3u) pairs[(ulong)children[3] * stride] = sampled.w;
  if (count <= 4u) return;
  sampled = sampled_pair(low, high, words.c, words.d);
  pairs[(ulong)children[4] * stride] = sampled.x;
  if (count > 5u) pairs[(ulong)children[5] * stride] = sampled.y;
  if (count > 6u) pairs[(ulong)children[6] * stride] = sampled.z;
  if (count > 7u) pairs[(ulong)children[7] * stride] = sampled.w;
}

/* Finds the places of a chunk's new individuals: each has that of the worse one of a pair. */
static inline void find_places(global const ulong* fitness, global const uint* rows, global const uint* spare_rows,
                               global ulong* next_fitness, global uint* next_rows, global uint* next_spare_rows,
                               global uint* replaced, exchange_population population, exchange_two pairing, uint chunk,
                               uint count) {
  for (uint i = (uint)get_local_id(0); i < count; i += (uint)get_local_size(0)) {
    const uint k = chunk * EXCHANGE_CHUNK + i;
    const exchange_two pair = exchange_pair(population, pairing, k);
    const uint worse = fitness[pair.b] < fitness[pair.a] ? pair.a : pair.b;
    const uint better = worse == pair.a ? pair.b : pair.a;
    next_fitness[better] = fitness[better];
    next_rows[better] = rows[better];
    next_rows[worse] = spare_rows[k];
    next_spare_rows[k] = rows[worse];
    replaced[k] = worse;
    if (k == 0 && population.individuals % 2u != 0) {
      const uint alone = exchange_unpaired(population, pairing);
      next_fitness[alone] = fitness[alone];
      next_rows[alone] = rows[alone];
    }
  }
}

/* Samples some blocks of a chunk of new individuals into spare rows, and finds their places. genes: rows of genes;
 * fitness, rows, spare_rows: conflicts, the individuals' rows and those for new
 * ones; next_...: the same after this generation; replaced: whom new individuals replace; found: as for replace; row: how
 * rows hold genes; pairing: the permutation of exchange_pairing(). Launched with a work-group for each
 * EXCHANGE_SAMPLE_BLOCKS blocks and, in the second dimension, chunk. */
kernel void sample(global uint* genes, global const ulong* fitness,
                   global const uint* rows, global const uint* spare_rows, global ulong* next_fitness,
                   global uint* next_rows, global uint* next_spare_rows, global uint* replaced,
                   global const uint* found, exchange_population population, exchange_row row, exchange_two pairing) {
  local sampling s;
  const uint items = (uint)get_local_size(0);
  const uint first_block = (uint)get_group_id(0) * EXCHANGE_SAMPLE_BLOCKS;
  const uint chunk = (uint)get_group_id(1);
  const uint count = min(EXCHANGE_CHUNK, population.individuals / 2u - chunk * EXCHANGE_CHUNK);
  const uint first_pair = first_block * EXCHANGE_BLOCK_PAIRS;
  const uint pairs = exchange_is_over(found[0], population) ? 0 : row.pairs;
  const uint end_pair = min(first_pair + EXCHANGE_SAMPLE_BLOCKS * EXCHANGE_BLOCK_PAIRS, pairs);
  const uint blocks = (end_pair - min(first_pair, end_pair) + EXCHANGE_BLOCK_PAIRS - 1u) / EXCHANGE_BLOCK_PAIRS;
  prepare_sampling((uint)get_local_id(0), items, &s, fitness, rows, spare_rows, &population, chunk, first_block,
                   blocks, count);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint is_high = 0; is_high < 2u; ++is_high) {
    global uint* half_rows = genes + is_high * row.high;
    const uint begin = is_high == 0 ? first_pair : max(first_pair, row.first_high);
    for (uint pair = begin + (uint)get_local_id(0); pair < end_pair; pair += items)
      sample_pair(half_rows + pair, row.words, s.parents + (pair - first_pair) / EXCHANGE_BLOCK_PAIRS * EXCHANGE_CHUNK,
                  s.children, exchange_sample_words(population, chunk, pair), count);
  }
  if (first_block == 0 && pairs != 0)
    find_places(fitness, rows, spare_rows, next_fitness, next_rows, next_spare_rows, replaced, population, pairing,
                chunk, count);
}
