// clopt: bits, maximise
// Concatenated folded (bimodal) traps: a block of even order is best, 5, if all genes are equal; half ones give 4, and
// less the nearer the block is to either best one. The table: order of a trap.
real objective(individual x) {
  const uint order = (uint)table_value(x, 0);
  const uint fold = order / 2;
  real sum = 0;
  for (uint first = 0; first < genes(x); first += order) {
    uint ones = 0;
    for (uint i = first; i < first + order; ++i) ones += gene(x, i);
    const uint away = ones > fold ? ones - fold : fold - ones;
    sum += away == fold ? (real)5 : (real)(4 * (fold - 1 - away)) / (real)(fold - 1);
  }
  return sum;
}
