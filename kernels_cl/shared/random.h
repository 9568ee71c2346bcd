/* Random numbers by address: Philox4x32-10 of Random123 (Salmon et al., SC 2011), one block of four words for every
 * (seed, purpose, x, y, z). Nothing is carried from one call to the next, so a number depends on its address alone.
 */
#ifndef CLOPT_SHARED_RANDOM_H
#define CLOPT_SHARED_RANDOM_H

/* A plain `inline` of C99, which OpenCL C follows, leaves a call that is not inlined without a definition. */
#if defined(__OPENCL_VERSION__) && !defined(R123_STATIC_INLINE)
#define R123_STATIC_INLINE static inline
#endif
#include "Random123/philox.h"
#include "language.h"

CLOPT_SHARED_BEGIN

/* Four independent uniform words. */
struct random_block {
  uint a;
  uint b;
  uint c;
  uint d;
};
typedef struct random_block random_block;

/* The block at an address. The purpose keeps uses of one seed apart; x, y and z say which item, draw or attempt. */
CLOPT_SHARED random_block random_at(ulong seed, uint purpose, uint x, uint y, uint z) {
  philox4x32_ctr_t counter;
  philox4x32_key_t key;
  random_block block;
  counter.v[0] = x;
  counter.v[1] = y;
  counter.v[2] = z;
  counter.v[3] = purpose;
  key.v[0] = (uint)(seed & 0xffffffffu);
  key.v[1] = (uint)(seed >> 32);
  counter = philox4x32(counter, key);
  block.a = counter.v[0];
  block.b = counter.v[1];
  block.c = counter.v[2];
  block.d = counter.v[3];
  return block;
}

/* Lemire's multiply method (ACM TOMACS 29(1), 2019): a uniform word becomes an integer in [0, n), n from 1 to 2^32-1.
 * It is unbiased over the words that uniform_accepts; others (fewer than n of 2^32) must be drawn again. */
CLOPT_SHARED uint uniform_below(uint word, uint n) { return mul_hi(word, n); }

/* Whether a word may be used for uniform_below(word, n): 1 or 0. */
CLOPT_SHARED uint uniform_accepts(uint word, uint n) { return word * n >= (0u - n) % n ? 1u : 0u; }

/* An unbiased integer in [0, n), n from 1 to 2^32-1, at the address (seed, purpose, index). */
CLOPT_SHARED uint uniform_at(ulong seed, uint purpose, ulong index, uint n) {
  uint attempt = 0;
  for (;;) {
    random_block block = random_at(seed, purpose, (uint)(index & 0xffffffffu), (uint)(index >> 32), attempt);
    if (uniform_accepts(block.a, n) != 0u) return uniform_below(block.a, n);
    if (uniform_accepts(block.b, n) != 0u) return uniform_below(block.b, n);
    if (uniform_accepts(block.c, n) != 0u) return uniform_below(block.c, n);
    if (uniform_accepts(block.d, n) != 0u) return uniform_below(block.d, n);
    ++attempt;
  }
}

/* uniform_below() for 64 bits: an integer in [0, n), n from 1 to 2^64-1, of a uniform word of 64 bits. */
CLOPT_SHARED ulong uniform_below_64(ulong word, ulong n) { return mul_hi(word, n); }

/* Whether a word may be used for uniform_below_64(word, n): 1 or 0. */
CLOPT_SHARED uint uniform_accepts_64(ulong word, ulong n) { return word * n >= ((ulong)0 - n) % n ? 1u : 0u; }

/* A uniform word of 64 bits from two of 32. */
CLOPT_SHARED ulong random_word_64(uint low, uint high) { return (ulong)high << 32 | low; }

/* An unbiased integer in [0, n), n from 1 to 2^64-1, at the address (seed, purpose, index). */
CLOPT_SHARED ulong uniform_at_64(ulong seed, uint purpose, ulong index, ulong n) {
  uint attempt = 0;
  for (;;) {
    const random_block block = random_at(seed, purpose, (uint)(index & 0xffffffffu), (uint)(index >> 32), attempt);
    const ulong first = random_word_64(block.a, block.b);
    const ulong second = random_word_64(block.c, block.d);
    if (uniform_accepts_64(first, n) != 0u) return uniform_below_64(first, n);
    if (uniform_accepts_64(second, n) != 0u) return uniform_below_64(second, n);
    ++attempt;
  }
}

/* The upper 24 bits of a uniform word as a fraction in [0, 1): every step is exact. */
CLOPT_SHARED float uniform_float(uint word) { return convert_float(word >> 8) * 0x1p-24f; }

#if !defined(__OPENCL_VERSION__) || defined(CLOPT_FP64)
/* The upper 53 bits of a uniform word as a fraction in [0, 1): every step is exact. */
CLOPT_SHARED double uniform_double(ulong word) { return convert_double(word >> 11) * 0x1p-53; }
#endif

/* Certainty, for bernoulli_word(): probabilities count in units of 2^-32, so that 0 and 1 are both exact. */
#define BERNOULLI_ONE ((ulong)1 << 32)

/* One step of bernoulli_word(): a digit of the probability against the same digit of 32 uniform fractions. */
struct bernoulli_step {
  uint below;     /* the lanes whose fraction is below the probability */
  uint undecided; /* the lanes whose digits are the probability's so far */
};
typedef struct bernoulli_step bernoulli_step;

CLOPT_SHARED bernoulli_step bernoulli_digit(bernoulli_step before, uint word, uint digit) {
  bernoulli_step after;
  after.below = before.below | (digit != 0u ? before.undecided & ~word : 0u);
  after.undecided = before.undecided & (digit != 0u ? word : ~word);
  return after;
}

/* Thirty-two independent bits at the address (seed, purpose, x, y, z), each 1 with `probability` of 2^-32, from 0 to
 * BERNOULLI_ONE; z below 2^29.
 *
 * Each bit asks whether a uniform fraction, drawn digit by digit in its lane of successive random words, lies below the
 * probability; a lane is decided at the first digit that differs. It ends when all are, after 6.3 words on average, or
 * when the probability has no digits left: one half takes one word. */
CLOPT_SHARED uint bernoulli_word(ulong seed, uint purpose, uint x, uint y, uint z, ulong probability) {
  uint digits = (uint)(probability & 0xffffffffu);
  uint block_number = z << 3; /* at most 8 blocks for 32 digits */
  bernoulli_step step;
  if (probability >= BERNOULLI_ONE) return 0xffffffffu;
  step.below = 0u;
  step.undecided = 0xffffffffu;
  while (digits != 0u && step.undecided != 0u) {
    const random_block block = random_at(seed, purpose, x, y, block_number);
    step = bernoulli_digit(step, block.a, digits >> 31);
    /* Once no digit is left, equal lanes stay undecided, which is "not below"; a 0 here would change nothing. */
    step = bernoulli_digit(step, block.b, digits >> 30 & 1u);
    step = bernoulli_digit(step, block.c, digits >> 29 & 1u);
    step = bernoulli_digit(step, block.d, digits >> 28 & 1u);
    digits <<= 4;
    ++block_number;
  }
  return step.below;
}

/* Sixty-four such bits: those of bernoulli_word() at 2 x and 2 x + 1, so that bits do not depend on the word's size;
 * x below 2^31. */
CLOPT_SHARED ulong bernoulli_word_64(ulong seed, uint purpose, uint x, uint y, uint z, ulong probability) {
  const uint low = bernoulli_word(seed, purpose, 2u * x, y, z, probability);
  return random_word_64(low, bernoulli_word(seed, purpose, 2u * x + 1u, y, z, probability));
}

CLOPT_SHARED_END

#endif
