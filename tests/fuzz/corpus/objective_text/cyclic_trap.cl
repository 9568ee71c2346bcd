// clopt: bits, maximise
// Overlapping traps around a ring: each shares its last gene with the first of the next. The table: order of a trap.
real objective(individual x) {
  const uint order = (uint)table_value(x, 0);
  uint sum = 0;
  for (uint first = 0; first < genes(x); first += order - 1) {
    uint ones = gene(x, first + order - 1 < genes(x) ? first + order - 1 : 0);
    for (uint i = first; i < first + order - 1; ++i) ones += gene(x, i);
    sum += ones == order ? order : order - 1 - ones;
  }
  return (real)sum;
}
