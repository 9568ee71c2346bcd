// clopt: permutation, minimise
// The length of a round trip. The table: for n cities n * n distances, whole numbers; what follows them, each city's
// near ones, is for the local search. Or one that begins with 1 or 2: two coordinates of each city follow, and lengths
// are rounded to whole numbers, or up.
int objective_count(individual x, uint i) {
  const uint city = gene(x, i);
  const uint next = gene(x, i + 1 == genes(x) ? 0 : i + 1);
  const real metric = table_value(x, 0);
  if (metric == 0) return (int)table_value(x, city * genes(x) + next);
  const real east = table_value(x, 1 + 2 * city) - table_value(x, 1 + 2 * next);
  const real north = table_value(x, 2 + 2 * city) - table_value(x, 2 + 2 * next);
  const real length = sqrt(east * east + north * north);
  return (int)(metric == 2 ? ceil(length) : floor(length + (real)0.5));
}
