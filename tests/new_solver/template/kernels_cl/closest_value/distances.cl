/* The distance of every value from a wanted one. */

/* results[i] = the distance of values[i] from `wanted`, for i below `count`. */
kernel void distances(global const ulong* values, global ulong* results, ulong wanted, ulong count) {
  const ulong i = get_global_id(0);
  if (i < count) results[i] = values[i] > wanted ? values[i] - wanted : wanted - values[i];
}
