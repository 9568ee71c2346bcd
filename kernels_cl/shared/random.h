/* Random numbers by address: Philox4x32-10 of Random123 (Salmon et al., SC 2011), one block of four words for every
 * (seed, purpose, x, y, z). Nothing is carried from one call to the next, so a number never depends on who asks for it.
 */
#ifndef CLOPT_SHARED_RANDOM_H
#define CLOPT_SHARED_RANDOM_H

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

CLOPT_SHARED_END

#endif
