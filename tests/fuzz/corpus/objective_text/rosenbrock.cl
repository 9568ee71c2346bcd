// clopt: reals, minimise, lower -5, upper 5, optimum 0
// A term joins a gene and the next; the last gene has no next one.
real objective_term(individual x, uint i) {
  if (i + 1 == genes(x)) return 0;
  const real g = gene(x, i);
  const real valley = gene(x, i + 1) - g * g;
  return 100 * (valley * valley) + (1 - g) * (1 - g);
}
