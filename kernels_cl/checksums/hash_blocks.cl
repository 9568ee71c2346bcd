/* Checksums of what need not leave a device; shared/checksum.h says what they are. */
#include "shared/checksum.h"

/* A section's words of a lane, and of the lane whose number differs in the last bit. */
#define LOAD(section)                                                   \
  for (uint stripe = 0; stripe < CHECKSUM_STRIPES; ++stripe) {          \
    word[stripe] = section[stripe * CHECKSUM_LANES + lane];             \
    neighbour[stripe] = section[stripe * CHECKSUM_LANES + (lane ^ 1u)]; \
  }

/* hashes[b] = the checksum of block b of words, for b below blocks. A work-item takes a lane of a block: blocks are many,
 * and each is long. Launched over lanes and blocks, in work-groups of whole blocks, of CHECKSUM_GROUP_SIZE work-items at
 * most. */
kernel void hash_blocks(global const ulong* words, global ulong* hashes, uint blocks) {
  local ulong sums[CHECKSUM_GROUP_SIZE];
  const uint item = (uint)get_local_id(0);
  const uint lane = item % CHECKSUM_LANES;
  const ulong block = get_global_id(0) / CHECKSUM_LANES;
  ulong sum = checksum_start[lane];
  if (block < blocks) {
    global const ulong* own = words + block * CHECKSUM_BLOCK_WORDS;
    const ulong scrambling = checksum_scrambling_key(lane);
    ulong keys[CHECKSUM_STRIPES];
#pragma unroll
    for (uint stripe = 0; stripe < CHECKSUM_STRIPES; ++stripe) keys[stripe] = checksum_key(stripe, lane);
    /* The next section's words are on their way meanwhile: a lane waits for little but memory. */
    ulong word[CHECKSUM_STRIPES];
    ulong neighbour[CHECKSUM_STRIPES];
    LOAD(own);
    for (uint section = 1; section < CHECKSUM_SECTIONS; ++section) {
#pragma unroll
      for (uint stripe = 0; stripe < CHECKSUM_STRIPES; ++stripe)
        sum = checksum_added(sum, word[stripe], neighbour[stripe], keys[stripe]);
      own += CHECKSUM_STRIPES * CHECKSUM_LANES;
      LOAD(own);
      sum = checksum_scrambled(sum, scrambling);
    }
    keys[CHECKSUM_STRIPES - 1u] = checksum_last_key(lane);
#pragma unroll
    for (uint stripe = 0; stripe < CHECKSUM_STRIPES; ++stripe)
      sum = checksum_added(sum, word[stripe], neighbour[stripe], keys[stripe]);
  }
  sums[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane != 0 || block >= blocks) return;
  ulong all = 0;
  for (uint pair = 0; pair < CHECKSUM_LANES / 2u; ++pair)
    all += checksum_folded(sums[item + 2u * pair], sums[item + 2u * pair + 1u], pair);
  hashes[block] = checksum_finished(all);
}
