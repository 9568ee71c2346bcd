/* Random words in bulk; shared/random.h says what they are. In a file of its own, since every device compiles it for its
 * self-test. */
#include "shared/random.h"

/* words[4 b] to words[4 b + 3] = the block at (seed, purpose, b, y, z), for b below count. */
kernel void random_words(global uint* words, ulong count, ulong seed, uint purpose, uint y, uint z) {
  const ulong index = get_global_id(0);
  if (index >= count) return;
  const random_block block = random_at(seed, purpose, (uint)index, y, z);
  words[4 * index] = block.a;
  words[4 * index + 1] = block.b;
  words[4 * index + 2] = block.c;
  words[4 * index + 3] = block.d;
}
