// clopt: bits, maximise
// Concatenated deceptive step traps: plateaus of a width hide which way the trap leads. The table: order of a trap, width
// of a step; a block gives (trap + (order - step) modulo step) / step, rounded down.
real objective(individual x) {
  const uint order = (uint)table_value(x, 0);
  const uint width = (uint)table_value(x, 1);
  uint sum = 0;
  for (uint first = 0; first < genes(x); first += order) {
    uint ones = 0;
    for (uint i = first; i < first + order; ++i) ones += gene(x, i);
    sum += ((ones == order ? order : order - 1 - ones) + (order - width) % width) / width;
  }
  return (real)sum;
}
