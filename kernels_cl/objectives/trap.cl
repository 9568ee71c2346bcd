// clopt: bits, maximise
// Concatenated deceptive traps: a block of k genes in a row gives k if all are ones, else k - 1 less its ones. The first
// value of the table is k.
real objective(individual x) {
  const uint order = (uint)table_value(x, 0);
  uint sum = 0;
  for (uint block = 0; block < genes(x); block += order) {
    uint ones = 0;
    for (uint k = 0; k < order; ++k) ones += gene(x, block + k);
    sum += ones == order ? order : order - 1 - ones;
  }
  return (real)sum;
}
