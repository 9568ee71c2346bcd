/* Lists of pairs: of groups that gain by merging, of groups that clash. The first entry has how many were found. */
#ifndef CLOPT_ECGA_EDGES_CL
#define CLOPT_ECGA_EDGES_CL

#include "shared/ecga/ecga.h"

/* Lists a pair where there is room. */
static inline void add_edge(global ecga_edge* edges, uint first, uint second, long gain, uint most_edges) {
  const uint index = atomic_inc(&edges[0].first);
  if (index >= most_edges) return;
  edges[index + 1u].first = first;
  edges[index + 1u].second = second;
  edges[index + 1u].gain = gain;
}

/* Lists a new group and another one if they gain. sum: that of T over the pattern counts of both together. */
static inline void add_pair(global ecga_edge* edges, uint one, uint other, ecga_group a, ecga_group b,
                            global const long* sums, long sum, ecga_pairs pairs) {
  const long gain = ecga_gain(pairs.all, sums[one], sums[other], sum, pairs.unit, a.size, b.size);
  if (gain > 0) add_edge(edges, other, one, gain, pairs.most_edges);
}

#endif
