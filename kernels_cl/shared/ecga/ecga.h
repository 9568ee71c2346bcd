/* What happens to one item of the extended compact genetic algorithm (paper: sections 2 and 3).
 *
 * The selected population is a matrix of bits: a row for a locus, a bit for an individual, 32 a word; rows are padded
 * with zeros. A group of loci has one row for each non-empty subset of its loci: the and of the loci's rows.
 */
#ifndef CLOPT_SHARED_ECGA_H
#define CLOPT_SHARED_ECGA_H

#include "shared/language.h"
#include "shared/random.h"

CLOPT_SHARED_BEGIN

/* Purposes of random numbers (see random.h). */
#define ECGA_PURPOSE_INITIAL 0x45430001u
#define ECGA_PURPOSE_TOURNAMENT 0x45430002u
#define ECGA_PURPOSE_SAMPLING 0x45430003u

/* A group with at most this many loci has rows for its subsets; pairs with a larger one are counted by histogram. */
#define ECGA_MOST_ROW_LOCI 5
#define ECGA_MOST_LOCI 10
#define ECGA_MOST_PATTERNS (1 << ECGA_MOST_LOCI)
/* Patterns of a pair that a work-item counts alone. */
#define ECGA_SMALL_PATTERNS 64u

/* A group as a device sees it. Lists lie in one buffer of words. */
struct ecga_group {
  uint rows;  /* where its list of 2^size - 1 rows begins; entry m - 1 is the row of subset m; not if it is large */
  uint loci;  /* where its list of loci begins; bit i of a subset stands for locus i of it */
  uint size;
  uint begin; /* groups that share loci have intervals [begin, end) that meet */
  uint end;
};
typedef struct ecga_group ecga_group;

/* A pair of groups that is worth merging. The list of them begins with one whose `first` says how many there are, even
 * if that is more than the list holds. */
struct ecga_edge {
  uint first;
  uint second;
  long gain;
};
typedef struct ecga_edge ecga_edge;

/* A new row: the and of the loci of a subset. */
struct ecga_product {
  uint loci; /* where the list of loci begins */
  uint subset;
};
typedef struct ecga_product ecga_product;

/* An individual is often selected several times. For counting it is held once for each bit of its number of copies:
 * layer b of the counted rows has the individuals whose number has bit b. Layers follow each other from the highest to
 * the lowest, each filled up to whole vectors of 512 bits; a sum over a row is doubled from each layer to the next. With
 * tournaments of 8 that is less than half of the selected population. */
#define ECGA_MOST_LAYERS 12

/* Which counts of pairs of rows are wanted: counts[p * stride + q] for row p of the first list and row q <= p of the
 * second; both lists ascend. */
struct ecga_tiles {
  uint first; /* where the lists begin */
  uint first_count;
  uint second;
  uint second_count;
  uint row_words; /* from a row to the next */
  uint layers;
  uint parts;     /* of each row, each for a work-group of its own; several: counts are added to */
  uint stride;
};
typedef struct ecga_tiles ecga_tiles;

/* Which pairs of groups are wanted: each of `fresh` with each other in the list that comes before it and shares no
 * locus with it. Of loci and blocks, `fresh` is a place in their list. */
struct ecga_pairs {
  uint fresh;        /* the first new group */
  uint fresh_count;
  uint partners;     /* where the list of groups begins */
  uint partner_count;
  uint individuals;
  uint row_words;
  uint stride;       /* of the counts */
  uint most_loci;    /* of a group */
  uint most_edges;   /* that the list holds */
  uint most_row_loci;/* groups with more have no rows */
  long all;          /* T[individuals] */
  long unit;         /* log2(individuals + 1) */
};
typedef struct ecga_pairs ecga_pairs;

/* A forecast: groups of loci, blocks for short, that greedy is expected to stay within. A block has a row for each
 * non-empty subset m of its loci, which ascend: row + m - 1. */
#define ECGA_BLOCK_PATTERNS (1u << ECGA_MOST_ROW_LOCI)
#define ECGA_TREE_NODES (2 * ECGA_MOST_ROW_LOCI - 1)
struct ecga_block {
  uint loci; /* where its list of loci begins */
  uint size;
  uint row;
};
typedef struct ecga_block ecga_block;

/* What greedy does with a block's loci if nothing else was there: the groups that it makes, loci first. The level of a
 * merge is the least gain of the merges up to it: greedy over all blocks makes merges of higher levels first. */
struct ecga_tree {
  long whole; /* the block's sum of T */
  long gain;  /* of all merges */
  long born[ECGA_TREE_NODES];    /* the level of the merge that made a group; the highest of all for a locus */
  long dead[ECGA_TREE_NODES];    /* of the merge that it vanished in; 0 for one that stays */
  long entropy[ECGA_TREE_NODES]; /* times the population */
  uint subset[ECGA_TREE_NODES];
  uint count;
};
typedef struct ecga_tree ecga_tree;

/* A bijection of [0, count): six rounds of an unbalanced Feistel network over high * 2^low_bits + low, whose domain is
 * a little larger; what falls outside is sent round again until it is inside (cycle walking). */
struct ecga_bijection {
  uint count;
  uint low_bits;
  uint high_count;
  uint key_a;
  uint key_b;
  uint key_c;
  uint key_d;
  uint key_e;
  uint key_f;
};
typedef struct ecga_bijection ecga_bijection;

/* The bijection at an address; count from 1 to 2^31. It is not returned: Oclgrind cannot inline functions that return
 * structures. */
CLOPT_SHARED void ecga_set_bijection(ecga_bijection* result, ulong seed, uint purpose, uint x, uint y, uint count) {
  const random_block first = random_at(seed, purpose, x, y, 0);
  const random_block second = random_at(seed, purpose, x, y, 1);
  result->count = count;
  result->low_bits = (33u - clz(count - 1u)) / 2u;
  if (count < 2u) result->low_bits = 0u;
  result->high_count = ((count - 1u) >> result->low_bits) + 1u;
  result->key_a = first.a;
  result->key_b = first.b;
  result->key_c = first.c;
  result->key_d = first.d;
  result->key_e = second.a;
  result->key_f = second.b;
}
#ifndef __OPENCL_VERSION__
CLOPT_SHARED ecga_bijection ecga_make_bijection(ulong seed, uint purpose, uint x, uint y, uint count) {
  ecga_bijection result;
  ecga_set_bijection(&result, seed, purpose, x, y, count);
  return result;
}
#endif

/* A word whose bits all depend on all of x's. */
CLOPT_SHARED uint ecga_mix(uint x) {
  x *= 0x9e3779b1u;
  x ^= x >> 15;
  x *= 0x85ebca77u;
  x ^= x >> 13;
  x *= 0xc2b2ae3du;
  return x ^ x >> 16;
}

/* high + a uniform number below high_count that hangs on low, modulo high_count. */
CLOPT_SHARED uint ecga_turn_high(uint high, uint low, uint high_count, uint key) {
  const uint sum = high + mul_hi(ecga_mix(low ^ key), high_count);
  return sum >= high_count ? sum - high_count : sum;
}

/* One way through the network; the result may be outside. */
CLOPT_SHARED uint ecga_pass(ecga_bijection b, uint i) {
  const uint mask = (1u << b.low_bits) - 1u;
  uint high = i >> b.low_bits;
  uint low = i & mask;
  low ^= ecga_mix(high ^ b.key_a) & mask;
  high = ecga_turn_high(high, low, b.high_count, b.key_b);
  low ^= ecga_mix(high ^ b.key_c) & mask;
  high = ecga_turn_high(high, low, b.high_count, b.key_d);
  low ^= ecga_mix(high ^ b.key_e) & mask;
  high = ecga_turn_high(high, low, b.high_count, b.key_f);
  return high << b.low_bits | low;
}

/* Where i of [0, count) goes. */
CLOPT_SHARED uint ecga_image(ecga_bijection b, uint i) {
  do {
    i = ecga_pass(b, i);
  } while (i >= b.count);
  return i;
}

/* The word at (individual, word) of the initial population. */
CLOPT_SHARED uint ecga_initial_word(ulong seed, uint individual, uint word, uint length) {
  const uint loci = min(length - 32u * word, 32u);
  return random_at(seed, ECGA_PURPOSE_INITIAL, individual, word, 0).a & 0xffffffffu >> (32u - loci);
}

#define ECGA_HIGHEST_LEVEL 0x7fffffffffffffffl

/* The order of fitness, of which none is NaN, as whole numbers above 0. Zeros of both signs are equal. */
CLOPT_SHARED ulong ecga_order_float(float fitness) {
  const uint magnitude = as_uint(fitness) & 0x7fffffffu;
  return as_uint(fitness) >> 31 != 0u ? 0x80000000u - magnitude : 0x80000000u + magnitude;
}
#if !defined(__OPENCL_VERSION__) || defined(CLOPT_FP64)
CLOPT_SHARED ulong ecga_order_double(double fitness) {
  const ulong magnitude = as_ulong(fitness) & 0x7fffffffffffffffUL;
  const ulong sign = 0x8000000000000000UL;
  return as_ulong(fitness) >> 63 != 0u ? sign - magnitude : sign + magnitude;
}
#endif
#ifndef __OPENCL_VERSION__
CLOPT_SHARED ulong ecga_order(float fitness) { return ecga_order_float(fitness); }
CLOPT_SHARED ulong ecga_order(double fitness) { return ecga_order_double(fitness); }
#endif

/* What the description of a model costs more for the union of groups of a and b loci. */
CLOPT_SHARED long ecga_penalty(long unit, uint a, uint b) {
  return (long)((1u << a) - 1u) * (long)((1u << b) - 1u) * unit;
}

/* What two groups gain by merging (paper: equation of CCC, Harik 1999), in units of 2^-fraction bits:
 * N H(A) + N H(B) - N H(AB) and what the model's description saves or costs. sum_..: of T[count] over pattern counts,
 * where T[x] = x log2 x; all: T[N]; unit: log2(N + 1); a, b: the groups' loci. */
CLOPT_SHARED long ecga_gain(long all, long sum_first, long sum_second, long sum_both, long unit, uint a, uint b) {
  return all - sum_first - sum_second + sum_both - ecga_penalty(unit, a, b);
}

/* The most that ecga_gain() can be, given the groups alone: the lesser entropy, less the penalty. */
CLOPT_SHARED long ecga_most_gain(long all, long sum_first, long sum_second, long unit, uint a, uint b) {
  return all - max(sum_first, sum_second) - ecga_penalty(unit, a, b);
}

/* Whether a pair is wanted: an earlier group that shares no locus, a union that is not too large, and entropies that
 * leave room for a gain. 1 or 0. */
CLOPT_SHARED uint ecga_is_wanted(uint fresh, uint other, ecga_group a, ecga_group b, long sum_a, long sum_b,
                                 ecga_pairs pairs) {
  const uint apart = other < fresh && (a.end <= b.begin || b.end <= a.begin) ? 1u : 0u;
  if (apart == 0u || a.size + b.size > pairs.most_loci) return 0u;
  return ecga_most_gain(pairs.all, sum_a, sum_b, pairs.unit, a.size, b.size) > 0 ? 1u : 0u;
}

/* Whether a pair of groups with rows is one for a single work-item. 1 or 0. */
CLOPT_SHARED uint ecga_is_small(ecga_group a, ecga_group b, ecga_pairs pairs) {
  return max(a.size, b.size) <= pairs.most_row_loci && 1u << (a.size + b.size) <= ECGA_SMALL_PATTERNS ? 1u : 0u;
}

/* Grows a block's tree. sums: of T over the pattern counts of each subset of its loci. */
CLOPT_SHARED void ecga_grow_tree(ecga_tree* tree, const long* sums, uint size, ecga_pairs pairs) {
  uint alive = (1u << size) - 1u;
  long level = ECGA_HIGHEST_LEVEL;
  tree->count = size;
  tree->whole = sums[(1u << size) - 1u];
  tree->gain = 0;
  for (uint i = 0; i < size; ++i) {
    tree->subset[i] = 1u << i;
    tree->born[i] = level;
    tree->dead[i] = 0;
    tree->entropy[i] = pairs.all - sums[1u << i];
  }
  for (;;) {
    long best = 0;
    uint one = 0;
    uint other = 0;
    uint best_first = 0;
    uint best_second = 0;
    for (uint left = alive; left != 0u; left &= left - 1u) {
      for (uint right = left & (left - 1u); right != 0u; right &= right - 1u) {
        const uint i = 31u - clz(left & (0u - left));
        const uint j = 31u - clz(right & (0u - right));
        const uint a = tree->subset[i];
        const uint b = tree->subset[j];
        if (popcount(a) + popcount(b) > pairs.most_loci) continue;
        const long gain = ecga_gain(pairs.all, sums[a], sums[b], sums[a | b], pairs.unit, popcount(a), popcount(b));
        /* Lowest loci; the first group is the one with the smaller. */
        const uint first = min(a & (0u - a), b & (0u - b));
        const uint second = max(a & (0u - a), b & (0u - b));
        const uint is_earlier = first < best_first || (first == best_first && second < best_second) ? 1u : 0u;
        if (gain > best || (gain == best && best > 0 && is_earlier != 0u)) {
          best = gain;
          one = i;
          other = j;
          best_first = first;
          best_second = second;
        }
      }
    }
    if (best == 0) return;
    level = min(level, best);
    tree->dead[one] = level;
    tree->dead[other] = level;
    tree->subset[tree->count] = tree->subset[one] | tree->subset[other];
    tree->born[tree->count] = level;
    tree->dead[tree->count] = 0;
    tree->entropy[tree->count] = pairs.all - sums[tree->subset[tree->count]];
    tree->gain += best;
    alive = (alive & ~(1u << one) & ~(1u << other)) | 1u << tree->count;
    ++tree->count;
  }
}

/* Whether greedy might merge groups of two trees that gain so much at most: both are there at once, and the gain is
 * neither below that of the merge in which the first of them vanishes nor 0. Equal gains count as larger. 1 or 0. */
CLOPT_SHARED uint ecga_may_clash(long most_gain, long born_a, long dead_a, long born_b, long dead_b) {
  const long first_end = max(dead_a, dead_b);
  return most_gain > 0 && most_gain >= first_end && min(born_a, born_b) >= first_end ? 1u : 0u;
}

/* A block and which of its loci clash, in one word. */
#define ECGA_CLASH_SHIFT 24
CLOPT_SHARED uint ecga_pack_clash(uint block, uint subset) { return block | subset << ECGA_CLASH_SHIFT; }

/* Words of a row that a layer of individuals takes. */
CLOPT_SHARED uint ecga_layer_words(uint individuals) { return (individuals + 511u) / 512u * 16u; }

/* Which row of the table of counts a pair of rows stands in: the later row's. */
CLOPT_SHARED ulong ecga_place(uint p, uint q, uint stride) { return (ulong)max(p, q) * stride + min(p, q); }

CLOPT_SHARED_END

#endif
