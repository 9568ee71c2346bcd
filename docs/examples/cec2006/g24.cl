// clopt: reals, minimise
// CEC 2006, g24: 2 parameters, two parts that are feasible; best known value -5.50801327159536.
real objective(individual x) { return -gene(x, 0) - gene(x, 1); }
real violation(individual x) {
  const real a = gene(x, 0);
  const real b = gene(x, 1);
  return fmax(((-2 * a + 8) * a - 8) * a * a + b - 2, 0) + fmax((((-4 * a + 32) * a - 88) * a + 96) * a + b - 36, 0);
}
