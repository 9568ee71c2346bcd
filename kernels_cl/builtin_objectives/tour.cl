// clopt: permutation, minimise
// The length of a round trip. The table: for n cities n * n distances, whole numbers; what follows them, each city's
// near ones, is for the local search.
int objective_count(individual x, uint i) {
  const uint next = i + 1 == genes(x) ? 0 : i + 1;
  return (int)table_value(x, gene(x, i) * genes(x) + gene(x, next));
}
