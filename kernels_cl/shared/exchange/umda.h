/* The univariate marginal distribution algorithm for schedules (sections 2.3, 2.4 and 4 of the paper), gene by gene.
 *
 * A gene is a transfer's slot in the upper half of a word and the number of its path in the lower half. Drawing a value
 * from a gene's marginal distribution among the selected individuals is taking the value of one of them at random;
 * slots and paths are drawn apart, each from its own distribution.
 */
#ifndef CLOPT_SHARED_EXCHANGE_UMDA_H
#define CLOPT_SHARED_EXCHANGE_UMDA_H

#include "shared/random.h"

/* Random numbers are kept apart by purpose. */
#define EXCHANGE_PURPOSE_FIRST 0x45585546u
#define EXCHANGE_PURPOSE_SELECT 0x45585553u
#define EXCHANGE_PURPOSE_PAIR 0x45585550u
#define EXCHANGE_PURPOSE_SAMPLE 0x4558554du
#define EXCHANGE_PURPOSE_MUTATE 0x45585555u
#define EXCHANGE_PURPOSE_TRY 0x45585554u
/* Values that are tried for a mutated gene, at most: bits of a word. */
#define EXCHANGE_MOST_TRIES 64u

CLOPT_SHARED_BEGIN

/* What the genes of a transfer stand for: its paths follow each other in a table of links, `hops` links each. */
struct exchange_gene {
  uint first; /* of its first path, in the table */
  uint hops;
  uint paths;
};
typedef struct exchange_gene exchange_gene;

/* Where the paths of a gene are counted, as an element of 8 bytes after the other: the places of 8 links, a byte each,
 * or of 4 links, 16 bits each, in the order of the path, the first in the lowest bits. Places are relative to the
 * lowest of all the gene's paths, so that genes whose paths look alike share their elements. */
#ifdef __OPENCL_VERSION__
typedef uint2 exchange_footprint; /* a vector, so that one instruction loads it */
#else
struct exchange_footprint {
  alignas(8) uint x; /* the number of the first path's first element in the lower 24 bits, hops in the upper 8 */
  uint y;            /* the lowest place */
};
#endif
CLOPT_SHARED uint exchange_first_element(uint x) { return x & 0xffffffu; }
CLOPT_SHARED uint exchange_footprint_hops(uint x) { return x >> 24; }

/* Counters of 4 bits: a word has those of one place in this many slots. */
#define EXCHANGE_SLOTS_A_WORD 8u
CLOPT_SHARED uint exchange_rows(uint slots) { return (slots + EXCHANGE_SLOTS_A_WORD - 1u) / EXCHANGE_SLOTS_A_WORD; }

/* The sizes of a run. */
struct exchange_population {
  ulong seed;
  uint genes;
  uint slots;
  uint links;
  uint individuals;
  uint generation; /* of the individuals that are made, from 1 */
  uint hops;       /* of all transfers' paths */
  uint tournament; /* individuals of a tournament */
  uint mutations;  /* genes of a new individual that are mutated, at most */
  uint tries;      /* values of a mutated gene, from 1 to EXCHANGE_MOST_TRIES */
  uint reserved;
};
typedef struct exchange_population exchange_population;

/* Where an individual's genes are in its row on a device: 16 bits each, the lower byte of the slot above that of the
 * path, a pair of genes to a word; after all of them the upper bytes, likewise, from the first pair on that needs
 * them. */
struct exchange_row {
  uint pairs;      /* 0: there are no pairs, but a word for each gene */
  uint words;      /* of a row */
  uint first_high; /* pair with upper bytes; at least `pairs`, where there are none */
  uint high;       /* where the upper bytes of pair 0 are, or would be */
};
typedef struct exchange_row exchange_row;

/* A population's fewest and most conflicts, and the first individuals that have them. */
struct exchange_extremes {
  ulong least;
  ulong greatest;
  uint best;
  uint worst;
  uint worst_row;  /* of genes */
  uint found;      /* the generation of a schedule, plus 1, or 0 */
  uint generation; /* that was asked about */
  uint reserved;
};
typedef struct exchange_extremes exchange_extremes;

/* Work-items that look for them, at most. */
#define EXCHANGE_EXTREMES_GROUP_SIZE 256

/* Halves of a gene, of 16 bits each, and the gene of its halves. */
CLOPT_SHARED uint exchange_low_half(uint gene) { return (gene >> 8 & 0xff00u) | (gene & 0xffu); }
CLOPT_SHARED uint exchange_high_half(uint gene) { return (gene >> 16 & 0xff00u) | (gene >> 8 & 0xffu); }
CLOPT_SHARED uint exchange_of_halves(uint low, uint high) {
  return (high & 0xff00u) << 16 | (low & 0xff00u) << 8 | (high & 0xffu) << 8 | (low & 0xffu);
}

CLOPT_SHARED uint exchange_gene_slot(uint gene) { return gene >> 16; }
CLOPT_SHARED uint exchange_gene_path(uint gene) { return gene & 0xffffu; }

/* A gene of uniform words. */
CLOPT_SHARED uint exchange_any_gene(uint slot_word, uint path_word, uint slots, uint paths) {
  return uniform_below(slot_word, slots) << 16 | uniform_below(path_word, paths);
}

/* A gene of the first population. */
CLOPT_SHARED uint exchange_first_gene(exchange_population population, uint individual, uint gene, uint paths) {
  const random_block block = random_at(population.seed, EXCHANGE_PURPOSE_FIRST, individual, gene, 0);
  return exchange_any_gene(block.a, block.b, population.slots, paths);
}

/* New individuals are made in chunks, and their genes in blocks. A block of a chunk has EXCHANGE_CHUNK parents of its
 * own, of which one drawn at random gives each value: as many as a whole chunk has individuals. Parents are independent
 * draws, so that those of any chunk stand for the distribution. */
#define EXCHANGE_CHUNK 8u
#define EXCHANGE_BLOCK 128u
#define EXCHANGE_BLOCK_PAIRS (EXCHANGE_BLOCK / 2u)

/* Blocks of a chunk that a work-group samples. */
#define EXCHANGE_SAMPLE_BLOCKS 4u

/* Whether a generation is not made: found is the number of the generation that made an individual without conflicts,
 * plus 1, or 0. */
CLOPT_SHARED int exchange_is_over(uint found, exchange_population population) {
  return found != 0 && found <= population.generation ? 1 : 0;
}

/* Two numbers: of two individuals, or of a permutation of them. */
struct exchange_two {
  uint a;
  uint b;
};
typedef struct exchange_two exchange_two;

/* Individuals 2 `round` and 2 `round` + 1 of the tournament that selects a parent of a block of a chunk, from 0 to
 * EXCHANGE_CHUNK - 1. There are fewer than 2^20 pairs of parents. */
CLOPT_SHARED exchange_two exchange_tournament(exchange_population population, uint chunk, uint block, uint parent,
                                              uint round) {
  const random_block words = random_at(population.seed, EXCHANGE_PURPOSE_SELECT, population.generation, chunk,
                                       round << 20 | (block * EXCHANGE_CHUNK + parent) / 2u);
  exchange_two pair;
  pair.a = uniform_below((parent & 1u) != 0u ? words.c : words.a, population.individuals);
  pair.b = uniform_below((parent & 1u) != 0u ? words.d : words.b, population.individuals);
  return pair;
}

CLOPT_SHARED uint exchange_common_divisor(uint a, uint b) {
  while (b != 0u) {
    const uint rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* A random affine permutation of the individuals: number i comes from place (a i + b) modulo their number. */
CLOPT_SHARED exchange_two exchange_pairing(exchange_population population) {
  const random_block block = random_at(population.seed, EXCHANGE_PURPOSE_PAIR, population.generation, 0, 0);
  const uint n = population.individuals;
  exchange_two pairing;
  pairing.a = 1u + uniform_below(block.a, n - 1u);
  pairing.b = uniform_below(block.b, n);
  while (exchange_common_divisor(pairing.a, n) != 1u) pairing.a = pairing.a % (n - 1u) + 1u;
  return pairing;
}

/* The pair of which one individual is replaced by new individual k: numbers 2 k and 2 k + 1 of the permutation, so that
 * each is in one pair at most. */
CLOPT_SHARED exchange_two exchange_pair(exchange_population population, exchange_two pairing, uint k) {
  const uint n = population.individuals;
  exchange_two pair;
  pair.a = (uint)(((ulong)pairing.a * (2u * k) + pairing.b) % n);
  pair.b = (uint)(((ulong)pairing.a * (2u * k + 1u) + pairing.b) % n);
  return pair;
}

/* The individual of an odd population that is in no pair. */
CLOPT_SHARED uint exchange_unpaired(exchange_population population, exchange_two pairing) {
  const uint n = population.individuals;
  return (uint)(((ulong)pairing.a * (n - 1u) + pairing.b) % n);
}

/* The random words of genes 2 `pair` and 2 `pair` + 1 of a chunk's individuals: a and b for the first four individuals,
 * c and d for the others. */
CLOPT_SHARED random_block exchange_sample_words(exchange_population population, uint chunk, uint pair) {
  return random_at(population.seed, EXCHANGE_PURPOSE_SAMPLE, population.generation, chunk, pair);
}

/* Which of the chunk's parents give individual i of the four its gene's slot and path, of the gene's word: numbers of 3
 * bits in digits of 4, those for the slots in the lower half. */
CLOPT_SHARED uint exchange_slot_parent(uint word, uint i) { return word >> 4u * i & 7u; }
CLOPT_SHARED uint exchange_path_parent(uint word, uint i) { return word >> (4u * i + 16u) & 7u; }
CLOPT_SHARED uint exchange_sampled(uint slot_parent_gene, uint path_parent_gene) {
  return (slot_parent_gene & 0xffff0000u) | (path_parent_gene & 0xffffu);
}

/* Mutation i of new individual k: a: a gene, b and c: words for its value. */
CLOPT_SHARED random_block exchange_mutation(exchange_population population, uint k, uint i) {
  random_block block = random_at(population.seed, EXCHANGE_PURPOSE_MUTATE, population.generation, k, i);
  block.a = uniform_below(block.a, population.genes);
  return block;
}

/* Value `number` that is tried in mutation i of new individual k, of a gene with `paths` paths. */
CLOPT_SHARED uint exchange_tried_gene(exchange_population population, uint k, uint i, uint number, uint paths) {
  const random_block block = random_at(population.seed, EXCHANGE_PURPOSE_TRY, population.generation, k,
                                       (i * EXCHANGE_MOST_TRIES + number) / 2u);
  return (number & 1u) != 0u ? exchange_any_gene(block.c, block.d, population.slots, paths)
                             : exchange_any_gene(block.a, block.b, population.slots, paths);
}

/* How many genes `gene` is after the first one, going round. */
CLOPT_SHARED uint exchange_genes_after(exchange_population population, uint first, uint gene) {
  return gene < first ? gene + population.genes - first : gene - first;
}
/* The gene that is `count` after the first one. */
CLOPT_SHARED uint exchange_gene_after(exchange_population population, uint first, uint count) {
  const uint left = population.genes - first;
  return count < left ? first + count : count - left;
}

/* Of four bytes that count uses of links: their sum, and the sum of u (u - 1) / 2. */
CLOPT_SHARED uint exchange_sum_of_bytes(uint word) {
  const uint pairs = (word & 0x00ff00ffu) + (word >> 8 & 0x00ff00ffu);
  return (pairs & 0xffffu) + (pairs >> 16);
}
CLOPT_SHARED uint exchange_conflicts_of(uint uses) { return uses * (uses - 1u) / 2u; }

CLOPT_SHARED_END

#endif
