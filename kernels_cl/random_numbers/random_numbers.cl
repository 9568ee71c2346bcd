/* Random numbers in bulk; shared/random.h says what they are. */
#include "shared/random.h"

/* numbers[i] = uniform_at(seed, purpose, i, n). */
kernel void uniform_numbers(global uint* numbers, ulong count, ulong seed, uint purpose, uint n) {
  const ulong index = get_global_id(0);
  if (index < count) numbers[index] = uniform_at(seed, purpose, index, n);
}

/* numbers[i] = uniform_at_64(seed, purpose, i, n). */
kernel void uniform_numbers_64(global ulong* numbers, ulong count, ulong seed, uint purpose, ulong n) {
  const ulong index = get_global_id(0);
  if (index < count) numbers[index] = uniform_at_64(seed, purpose, index, n);
}

/* words[i] = bernoulli_word(seed, purpose, i, y, z, probability). */
kernel void bernoulli_words(global uint* words, ulong count, ulong seed, uint purpose, uint y, uint z,
                            ulong probability) {
  const ulong index = get_global_id(0);
  if (index < count) words[index] = bernoulli_word(seed, purpose, (uint)index, y, z, probability);
}

/* words[i] = bernoulli_word_64(seed, purpose, i, y, z, probability). */
kernel void bernoulli_words_64(global ulong* words, ulong count, ulong seed, uint purpose, uint y, uint z,
                               ulong probability) {
  const ulong index = get_global_id(0);
  if (index < count) words[index] = bernoulli_word_64(seed, purpose, (uint)index, y, z, probability);
}

/* fractions[i] = uniform_float() of the first word of the block at (seed, purpose, i, y, z). */
kernel void uniform_floats(global float* fractions, ulong count, ulong seed, uint purpose, uint y, uint z) {
  const ulong index = get_global_id(0);
  if (index < count) fractions[index] = uniform_float(random_at(seed, purpose, (uint)index, y, z).a);
}

#ifdef CLOPT_FP64
/* fractions[i] = uniform_double() of the first two words of the block at (seed, purpose, i, y, z); only where the
 * device has doubles. */
kernel void uniform_doubles(global double* fractions, ulong count, ulong seed, uint purpose, uint y, uint z) {
  const ulong index = get_global_id(0);
  if (index >= count) return;
  const random_block block = random_at(seed, purpose, (uint)index, y, z);
  fractions[index] = uniform_double(random_word_64(block.a, block.b));
}
#endif
