/* Local search of an individual. Its moves are a flip of each locus, in an order of the individual's own, and then, for
 * each block of a model, the values that a selected individual has there. A step tries the next move; after the last one
 * comes the first. What is not better is undone, and the search ends once every move was tried in vain.
 */
#ifndef CLOPT_SHARED_ECGA_IMPROVEMENT_H
#define CLOPT_SHARED_ECGA_IMPROVEMENT_H

#include "shared/ecga/ecga.h"

/* Purposes of random numbers (see random.h). */
#define ECGA_PURPOSE_FLIPS 0x45430004u
#define ECGA_PURPOSE_DONOR 0x45430005u

/* Objectives that are sums of parts of few loci each, by how their tables have these. */
#define ECGA_PARTS_NK 0u
#define ECGA_PARTS_BONDS 1u
#define ECGA_PARTS_CLAUSES 2u
#define ECGA_PARTS_WEIGHTED 3u

/* Words of a search: steps so far, tries in vain since the last better one, and evaluations. */
#define ECGA_STEPS 0u
#define ECGA_VAIN 1u
#define ECGA_TRIES 2u
#define ECGA_SEARCH_WORDS 3u

/* Rounds of all moves after which a search ends: equal values that rounding makes better by turns would go on. */
#define ECGA_MOST_ROUNDS 128u

#ifdef __OPENCL_VERSION__
#define ECGA_SPACE global
#else
#define ECGA_SPACE
#endif

CLOPT_SHARED_BEGIN

struct ecga_improvement {
  ulong seed;
  uint generation;
  uint individuals;
  uint stride; /* from a word of an individual or of a search to the next one */
  uint words;  /* of an individual */
  uint row_words;
  uint length;
  uint blocks;
  uint kind; /* of parts */
};
typedef struct ecga_improvement ecga_improvement;

/* An individual: word w lies at words[w * stride]. */
struct ecga_genes {
  ECGA_SPACE uint* words;
  uint stride;
};
typedef struct ecga_genes ecga_genes;

CLOPT_SHARED uint ecga_gene(ecga_genes x, uint locus) {
  return x.words[(ulong)(locus >> 5) * x.stride] >> (locus & 31u) & 1u;
}
CLOPT_SHARED void ecga_flip(ecga_genes x, uint locus) {
  x.words[(ulong)(locus >> 5) * x.stride] ^= 1u << (locus & 31u);
}

CLOPT_SHARED uint ecga_moves(ecga_improvement run) { return run.length + run.blocks; }

/* Whether a search has moves left. 1 or 0. */
CLOPT_SHARED uint ecga_is_searching(ecga_improvement run, uint steps, uint vain) {
  return vain < ecga_moves(run) && steps / ECGA_MOST_ROUNDS < ecga_moves(run) ? 1u : 0u;
}

/* The order of an individual's flips. */
CLOPT_SHARED void ecga_set_flips(ecga_bijection* order, ecga_improvement run, uint individual) {
  ecga_set_bijection(order, run.seed, ECGA_PURPOSE_FLIPS, run.generation, individual, run.length);
}

/* Loci of a block whose values differ from those of the selected individual of a step: bit s for the block's locus s.
 * rows: those that were selected. lists: a block's first locus in the list that follows, for each block and one more. */
CLOPT_SHARED uint ecga_donated(ecga_improvement run, ecga_genes x, ECGA_SPACE const uint* rows,
                               ECGA_SPACE const uint* lists, uint block, uint individual, uint step) {
  const uint donor = mul_hi(random_at(run.seed, ECGA_PURPOSE_DONOR, individual, run.generation, step).a, run.individuals);
  const uint begin = lists[block];
  const uint size = lists[block + 1u] - begin;
  uint donated = 0u;
  uint s;
  for (s = 0u; s < size; ++s) {
    const uint locus = lists[run.blocks + 1u + begin + s];
    const uint value = rows[(ulong)locus * run.row_words + (donor >> 5)] >> (donor & 31u) & 1u;
    donated |= (value ^ ecga_gene(x, locus)) << s;
  }
  return donated;
}

/* A block's locus, the s-th one. */
CLOPT_SHARED uint ecga_block_locus(ecga_improvement run, ECGA_SPACE const uint* lists, uint block, uint s) {
  return lists[run.blocks + 1u + lists[block] + s];
}

CLOPT_SHARED void ecga_flip_donated(ecga_improvement run, ecga_genes x, ECGA_SPACE const uint* lists, uint block,
                                    uint donated) {
  for (; donated != 0u; donated &= donated - 1u)
    ecga_flip(x, ecga_block_locus(run, lists, block, 31u - clz(donated & (0u - donated))));
}

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
