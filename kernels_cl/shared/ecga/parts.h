/* Objectives that are sums of parts of few loci each: what a flip gains. `real` is float or double, the type of the
 * objective's table. */
#ifndef CLOPT_SHARED_ECGA_PARTS_H
#define CLOPT_SHARED_ECGA_PARTS_H

#include "shared/ecga/improvement.h"

/* How a table has the parts. */
#define ECGA_PARTS_NK 0u
#define ECGA_PARTS_BONDS 1u
#define ECGA_PARTS_CLAUSES 2u
#define ECGA_PARTS_WEIGHTED 3u

CLOPT_SHARED_BEGIN

/* By how much a part, whose numbers begin at a place of the table, is better once a locus is flipped. */
CLOPT_SHARED_TEMPLATE(real)
real ecga_part_gain(ECGA_SPACE const real* table, uint kind, uint at, ecga_genes x, uint locus) {
  uint k;
  if (kind == ECGA_PARTS_NK) {
    const uint neighbours = convert_uint(table[0]);
    const uint own = (at - 1u) / (neighbours + (2u << neighbours));
    uint pattern = ecga_gene(x, own);
    uint flipped = own == locus ? 1u : 0u;
    for (k = 0u; k < neighbours; ++k) {
      const uint other = convert_uint(table[at + k]);
      pattern |= ecga_gene(x, other) << (k + 1u);
      flipped |= (other == locus ? 1u : 0u) << (k + 1u);
    }
    return table[at + neighbours + (pattern ^ flipped)] - table[at + neighbours + pattern];
  }
  if (kind == ECGA_PARTS_BONDS) {
    const uint first = convert_uint(table[at]);
    const uint second = convert_uint(table[at + 1u]);
    const real coupling = table[at + 2u];
    const real now = ecga_gene(x, first) == ecga_gene(x, second) ? coupling : -coupling;
    return -now - now;
  }
  {
    const uint literals = convert_uint(table[at]);
    const real weight = kind == ECGA_PARTS_WEIGHTED ? table[at - 1u] : (real)1;
    uint holds = 0u;
    uint will_hold = 0u;
    for (k = 1u; k <= literals; ++k) {
      const int literal = convert_int(table[at + k]);
      const uint variable = convert_uint(literal > 0 ? literal : -literal) - 1u;
      const uint value = ecga_gene(x, variable) ^ (literal < 0 ? 1u : 0u);
      holds |= value;
      will_hold |= value ^ (variable == locus ? 1u : 0u);
    }
    /* A hard clause has a negative weight, which counts where it does not hold. */
    if (holds == will_hold) return (real)0;
    return (will_hold != 0u ? 1 : 0) == (weight > (real)0 ? 1 : 0) ? weight : -weight;
  }
}

/* The same of all parts. parts: where the list of each locus' parts begins, and one more, then the parts' places. */
CLOPT_SHARED_TEMPLATE(real)
real ecga_flip_gain(ECGA_SPACE const real* table, ECGA_SPACE const uint* parts, uint kind, ecga_genes x, uint locus) {
  real gain = 0;
  uint k;
  for (k = parts[locus]; k < parts[locus + 1u]; ++k) gain += ecga_part_gain(table, kind, parts[k], x, locus);
  return gain;
}

CLOPT_SHARED_END

#endif
