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

/* Words of a search: steps so far, tries in vain since the last better one, and evaluations by parts. */
#define ECGA_STEPS 0u
#define ECGA_VAIN 1u
#define ECGA_TRIES 2u
#define ECGA_SEARCH_WORDS 3u

/* Rounds of all moves after which a search ends: equal values that rounding makes better by turns would have no end. */
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
  uint kind; /* of parts, see parts.h */
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

CLOPT_SHARED_END

#endif
