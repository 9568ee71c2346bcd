// clopt: reals, minimise
// CEC 2006, g04: 5 parameters, six inequalities; best known value -30665.5386717834.
real objective(individual x) {
  return 5.3578547 * gene(x, 2) * gene(x, 2) + 0.8356891 * gene(x, 0) * gene(x, 4) + 37.293239 * gene(x, 0) - 40792.141;
}
real violation(individual x) {
  const real u = 85.334407 + 0.0056858 * gene(x, 1) * gene(x, 4) + 0.0006262 * gene(x, 0) * gene(x, 3) -
                 0.0022053 * gene(x, 2) * gene(x, 4);
  const real v = 80.51249 + 0.0071317 * gene(x, 1) * gene(x, 4) + 0.0029955 * gene(x, 0) * gene(x, 1) +
                 0.0021813 * gene(x, 2) * gene(x, 2);
  const real w = 9.300961 + 0.0047026 * gene(x, 2) * gene(x, 4) + 0.0012547 * gene(x, 0) * gene(x, 2) +
                 0.0019085 * gene(x, 2) * gene(x, 3);
  return fmax(u - 92, 0) + fmax(-u, 0) + fmax(v - 110, 0) + fmax(90 - v, 0) + fmax(w - 25, 0) + fmax(20 - w, 0);
}
