// clopt: reals, minimise
// CEC 2006, g01 (Liang et al.): 13 parameters, nine linear inequalities; best known value -15.
real objective(individual x) {
  real sum = 0;
  for (uint i = 0; i < 4; ++i) sum += 5 * gene(x, i) - 5 * gene(x, i) * gene(x, i);
  for (uint i = 4; i < 13; ++i) sum -= gene(x, i);
  return sum;
}
real violation(individual x) {
  const real a = gene(x, 9);
  const real b = gene(x, 10);
  const real c = gene(x, 11);
  return fmax(2 * gene(x, 0) + 2 * gene(x, 1) + a + b - 10, 0) + fmax(2 * gene(x, 0) + 2 * gene(x, 2) + a + c - 10, 0) +
         fmax(2 * gene(x, 1) + 2 * gene(x, 2) + b + c - 10, 0) + fmax(a - 8 * gene(x, 0), 0) +
         fmax(b - 8 * gene(x, 1), 0) + fmax(c - 8 * gene(x, 2), 0) + fmax(a - 2 * gene(x, 3) - gene(x, 4), 0) +
         fmax(b - 2 * gene(x, 5) - gene(x, 6), 0) + fmax(c - 2 * gene(x, 7) - gene(x, 8), 0);
}
