// clopt: integers, minimise, lower -100, upper 100, optimum 0
// A chain: neighbours should differ by a whole number that depends on the place.
int objective_count(individual x, uint i) {
  const int target = (int)(i * 7 % 23) - 11;
  const int d = gene(x, i) - target;
  const int e = i + 1 < genes(x) ? gene(x, i + 1) - gene(x, i) + (int)(i % 5) : 0;
  return d * d + 2 * e * e;
}
