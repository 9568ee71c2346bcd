/* What two paths have in common; see shared/exchange/umda.h. */
#ifndef CLOPT_EXCHANGE_SHARED_LINKS_CL
#define CLOPT_EXCHANGE_SHARED_LINKS_CL

#include "shared/exchange/umda.h"

/* Where the links of a gene's path are. */
static inline global const ushort* path_of(global const ushort* paths, exchange_gene gene, uint value) {
  return paths + gene.first + exchange_gene_path(value) * gene.hops;
}

/* How many links two paths share. */
static inline uint shared_links(global const ushort* a, uint a_hops, global const ushort* b, uint b_hops) {
  uint shared = 0;
  for (uint i = 0; i < a_hops; ++i) {
    const ushort link = a[i];
    for (uint k = 0; k < b_hops; ++k) shared += link == b[k] ? 1u : 0u;
  }
  return shared;
}

#endif
