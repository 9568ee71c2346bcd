// clopt: reals, minimise, lower -500, upper 500, optimum 0
// The least value of g sin(sqrt|g|) within the bounds is -418.98..., at 420.97....
real objective_term(individual x, uint i) {
  const real g = gene(x, i);
  return OBJECTIVE_REAL(418.9828872724338) - g * sin(sqrt(fabs(g)));
}
