/* The mutation of a generation's new individuals; see sample.cl.
 *
 * The first gene is any; of several values that are tried it takes the one that shares the fewest links with the other
 * transfers, and the next gene is of a transfer that it meets there, until it meets none. With one try, which is all
 * that the paper says, genes and values are any.
 */
#include "exchange/row.cl"
#include "exchange/shared_links.cl"

#define NO_GENE 0xffffffffu
/* Of a value that the gene has already: it is taken last. */
#define COST_OF_NOTHING 0xffffffffu

struct mutation {
  uint values[EXCHANGE_MOST_TRIES];
  uint costs[EXCHANGE_MOST_TRIES]; /* links that they share */
  ulong tried[EXCHANGE_MOST_TRIES]; /* of the slots with this remainder: a bit for each value */
  uint next;                       /* how far the nearest transfer that is met is from where one is looked for */
};
typedef struct mutation mutation;

/* Draws the values of a gene. */
static inline void try_values(local mutation* m, exchange_population population, uint k, uint i, uint paths,
                              uint current) {
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  for (uint n = item; n < population.tries; n += items) {
    m->values[n] = exchange_tried_gene(population, k, i, n, paths);
    m->costs[n] = m->values[n] == current ? COST_OF_NOTHING : 0;
  }
  if (item == 0) m->next = NO_GENE;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint slot = item; slot < EXCHANGE_MOST_TRIES; slot += items) {
    ulong tried = 0;
    for (uint n = 0; n < population.tries; ++n)
      if (exchange_gene_slot(m->values[n]) % EXCHANGE_MOST_TRIES == slot && m->costs[n] == 0) tried |= (ulong)1 << n;
    m->tried[slot] = tried;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

/* Counts what the values share with all other genes. */
static inline void count_shared(local mutation* m, global const uint* own, exchange_row row,
                                global const exchange_gene* table, global const ushort* paths, uint genes, uint gene) {
  for (uint other = (uint)get_local_id(0); other < genes; other += (uint)get_local_size(0)) {
    const uint value = read_gene(own, row, other);
    const uint slot = exchange_gene_slot(value);
    ulong tried = other == gene ? 0 : m->tried[slot % EXCHANGE_MOST_TRIES];
    while (tried != 0) {
      const uint n = 63u - (uint)clz(tried);
      tried &= ~((ulong)1 << n);
      if (exchange_gene_slot(m->values[n]) != slot) continue;
      const uint shared = shared_links(path_of(paths, table[other], value), table[other].hops,
                                       path_of(paths, table[gene], m->values[n]), table[gene].hops);
      if (shared != 0) atomic_add(m->costs + n, shared);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

/* The value with the lowest cost, the first of several. */
static inline uint cheapest(local const mutation* m, uint tries) {
  uint best = 0;
  for (uint n = 1; n < tries; ++n)
    if (m->costs[n] < m->costs[best]) best = n;
  return best;
}

/* A transfer that a gene meets with a value: the nearest one from the gene `first` on, going round. */
static inline uint met_gene(local mutation* m, global const uint* own, exchange_row row,
                            global const exchange_gene* table, global const ushort* paths,
                            exchange_population population, uint gene, uint value, uint first) {
  for (uint other = (uint)get_local_id(0); other < population.genes; other += (uint)get_local_size(0)) {
    const uint its = read_gene(own, row, other);
    if (other == gene || exchange_gene_slot(its) != exchange_gene_slot(value)) continue;
    if (shared_links(path_of(paths, table[other], its), table[other].hops, path_of(paths, table[gene], value),
                     table[gene].hops) != 0)
      atomic_min(&m->next, exchange_genes_after(population, first, other));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return exchange_gene_after(population, first, m->next);
}

/* Genes and values are any: all that the paper says. By one work-item. */
static inline void mutate_any(global uint* own, exchange_row row, global const exchange_gene* table, uint k,
                              uint mutations, exchange_population population) {
  for (uint i = 0; i < mutations; ++i) {
    const random_block drawn = exchange_mutation(population, k, i);
    write_gene(own, row, drawn.a, exchange_any_gene(drawn.b, drawn.c, population.slots, table[drawn.a].paths));
  }
}

/* genes: rows of genes; table, paths: what genes stand for, and their links; spare_rows: the new individuals' rows; found:
 * as for replace; row: how rows hold genes. Launched with a work-group for each new individual, and with a work-item
 * for each where one value is tried. */
kernel void mutate(global uint* genes, global const exchange_gene* table, global const ushort* paths,
                   global const uint* spare_rows, global const uint* found, exchange_population population,
                   exchange_row row) {
  local mutation m;
  const uint mutations = exchange_is_over(found[0], population) ? 0 : population.mutations;
  if (population.tries == 1u) {
    const uint one = (uint)get_global_id(0);
    if (one < population.individuals / 2u)
      mutate_any(genes + (ulong)spare_rows[one] * row.words, row, table, one, mutations, population);
    return;
  }
  const uint k = (uint)get_group_id(0);
  global uint* own = genes + (ulong)spare_rows[k] * row.words;
  uint gene = exchange_mutation(population, k, 0).a;
  int continues = 1;
  for (uint i = 0; i < mutations && continues; ++i) {
    try_values(&m, population, k, i, table[gene].paths, read_gene(own, row, gene));
    count_shared(&m, own, row, table, paths, population.genes, gene);
    const uint best = cheapest(&m, population.tries);
    const uint value = m.values[best];
    const uint changed = gene;
    continues = i + 1u < mutations && m.costs[best] != 0 && m.costs[best] != COST_OF_NOTHING;
    if (continues)
      gene = met_gene(&m, own, row, table, paths, population, changed, value,
                      exchange_mutation(population, k, i + 1u).a);
    if (get_local_id(0) == 0) write_gene(own, row, changed, value);
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  }
}
