// clopt: reals, minimise, lower -5.12, upper 5.12, optimum 0
real objective_term(individual x, uint i) {
  const real g = gene(x, i);
  return g * g - 10 * cos(2 * M_PI * g) + 10;
}
