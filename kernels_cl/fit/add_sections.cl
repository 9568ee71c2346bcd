/* Sums of what the sections of long rows have found, see long_rows.cl. */

/* Adds FIT_SUMMED numbers of each of `series`, which have `count`, to one of `sum_count` that are left: every
 * sum_count-th one. */
kernel void add_sections(global const real* parts, global real* sums, uint series, uint count, uint sum_count) {
  const uint item = (uint)get_global_id(0);
  const uint own = item % sum_count;
  global const real* const numbers = parts + (ulong)(item / sum_count) * count;
  real whole = (real)0;
  uint i;
  if (item >= series * sum_count) return;
  for (i = own; i < count; i += sum_count) whole += numbers[i];
  sums[item] = whole;
}
