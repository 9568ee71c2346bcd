// clopt: permutation, minimise
int objective_count(individual x, uint i) {
  const uint next = i + 1 == genes(x) ? 0 : i + 1;
  return (int)D(x, gene(x, i) * genes(x) + gene(x, next));
}
