// clopt: bits, maximise
// Hierarchical if-and-only-if (Watson, Hornby, Pollack 1998): a block of 1, 2, 4, ... genes whose genes are all equal
// gives its size. A block ends at i if its size divides i + 1, and is equal if the run of equal genes is as long.
real objective(individual x) {
  uint sum = 0;
  uint run = 0;
  uint last = 2;
  for (uint i = 0; i < genes(x); ++i) {
    const uint value = gene(x, i);
    run = value == last ? run + 1 : 1;
    last = value;
    for (uint size = 1; size <= run && (i + 1) % size == 0; size *= 2) sum += size;
  }
  return (real)sum;
}
