/* Whether a loop of many steps runs to its end: llvmpipe leaves one after 65,535. Writes the number of steps taken on
 * the way from `value` to 1 by Collatz's rule from many starts, which no compiler can compute in advance. */
kernel void long_loop(global uint* steps, uint value, uint rounds) {
  if (get_global_id(0) != 0) return;
  uint taken = 0;
  for (uint round = 0; round < rounds; ++round)
    for (uint x = value; x != 1u; ++taken) x = (x & 1u) != 0u ? 3u * x + 1u : x >> 1;
  *steps = taken;
}
