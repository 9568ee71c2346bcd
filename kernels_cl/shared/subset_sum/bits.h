/* Steps of subset-sum on words of a bit vector of capacities: bit b of word x stands for capacity x * bits + b (paper,
 * chapter 5.4). For words of any size: in OpenCL C, `word` names the type.
 */
#ifndef CLOPT_SHARED_SUBSET_SUM_BITS_H
#define CLOPT_SHARED_SUBSET_SUM_BITS_H

#include "shared/language.h"

CLOPT_SHARED_BEGIN

/* The word of complementary capacities k - w_i for the capacities k of a word: the bit vector moved up by the weight
 * (algorithm 20, lines 54 to 67).
 * high, low: the vector's word at the weight's whole words below, and the one beneath it; shift: the weight's bits left
 * over, below the word's bits. */
CLOPT_SHARED_TEMPLATE(word) word complementary_bits(word high, word low, uint shift) {
  /* In two steps, since a shift by all bits of a word is undefined. */
  return (word)((word)(high << shift) | (word)((word)(low >> 1) >> (8 * (uint)sizeof(word) - 1u - shift)));
}

CLOPT_SHARED_END

#endif
