// clopt: reals, minimise, lower -5.12, upper 5.12, optimum 0
// 10 - 10 cos(2 pi g) is 20 sin(pi g)^2, which does not cancel near the optimum.
real objective_term(individual x, uint i) {
  const real g = gene(x, i);
  const real s = sinpi_fraction(g - rint(g));
  return g * g + 20 * (s * s);
}
