// clopt: bits, maximise
// Concatenated deceptive traps: a block of k genes in a row gives k if all are ones, else k - 1 less its ones. The first
// value of the table is k, at most 32: a block lies in at most two words.
real objective(individual x) {
  const uint order = (uint)table_value(x, 0);
  const uint mask = 0xffffffffu >> (32 - order);
  uint sum = 0;
  for (uint block = 0; block < genes(x); block += order) {
    const uint word = block / 32;
    const uint shift = block % 32;
    uint bits = gene_word(x, word) >> shift;
    if (shift + order > 32) bits |= gene_word(x, word + 1) << (32 - shift);
    const uint ones = popcount(bits & mask);
    sum += ones == order ? order : order - 1 - ones;
  }
  return (real)sum;
}
