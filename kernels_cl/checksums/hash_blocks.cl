/* Checksums of what need not leave a device; shared/checksum.h says what they are. */
#include "shared/checksum.h"

#define GROUP_SIZE 32u

/* hashes[b] = the checksum of block b of words, for b below blocks. A work-item takes a lane of a block: blocks are many,
 * and each is long. Launched over lanes and blocks, in work-groups of GROUP_SIZE work-items at most, which are whole
 * blocks. */
kernel void hash_blocks(global const ulong* words, global ulong* hashes, uint blocks) {
  local ulong sums[GROUP_SIZE];
  const uint item = (uint)get_local_id(0);
  const uint lane = item % CHECKSUM_LANES;
  const ulong block = get_global_id(0) / CHECKSUM_LANES;
  ulong sum = checksum_start[lane];
  if (block < blocks) {
    global const ulong* own = words + block * CHECKSUM_BLOCK_WORDS;
    ulong keys[CHECKSUM_STRIPES];
#pragma unroll
    for (uint stripe = 0; stripe < CHECKSUM_STRIPES; ++stripe) keys[stripe] = checksum_key(stripe, lane);
    for (uint section = 1; section <= CHECKSUM_SECTIONS; ++section) {
      if (section == CHECKSUM_SECTIONS) keys[CHECKSUM_STRIPES - 1u] = checksum_last_key(lane);
      /* All at once: a lane waits for little but memory. */
      ulong word[CHECKSUM_STRIPES];
      ulong neighbour[CHECKSUM_STRIPES];
#pragma unroll
      for (uint stripe = 0; stripe < CHECKSUM_STRIPES; ++stripe) {
        word[stripe] = own[stripe * CHECKSUM_LANES + lane];
        neighbour[stripe] = own[stripe * CHECKSUM_LANES + (lane ^ 1u)];
      }
#pragma unroll
      for (uint stripe = 0; stripe < CHECKSUM_STRIPES; ++stripe)
        sum = checksum_added(sum, word[stripe], neighbour[stripe], keys[stripe]);
      if (section != CHECKSUM_SECTIONS) sum = checksum_scrambled(sum, lane);
      own += CHECKSUM_STRIPES * CHECKSUM_LANES;
    }
  }
  sums[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane != 0 || block >= blocks) return;
  ulong all = 0;
  for (uint pair = 0; pair < CHECKSUM_LANES / 2u; ++pair)
    all += checksum_folded(sums[item + 2u * pair], sums[item + 2u * pair + 1u], pair);
  hashes[block] = checksum_finished(all);
}
