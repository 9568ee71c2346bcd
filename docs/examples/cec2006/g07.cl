// clopt: reals, minimise
// CEC 2006, g07: 10 parameters, eight inequalities; best known value 24.3062090681.
real square(real x) { return x * x; }
real objective(individual x) {
  return square(gene(x, 0)) + square(gene(x, 1)) + gene(x, 0) * gene(x, 1) - 14 * gene(x, 0) - 16 * gene(x, 1) +
         square(gene(x, 2) - 10) + 4 * square(gene(x, 3) - 5) + square(gene(x, 4) - 3) + 2 * square(gene(x, 5) - 1) +
         5 * square(gene(x, 6)) + 7 * square(gene(x, 7) - 11) + 2 * square(gene(x, 8) - 10) + square(gene(x, 9) - 7) + 45;
}
real violation(individual x) {
  const real a = gene(x, 0);
  const real b = gene(x, 1);
  return fmax(4 * a + 5 * b - 3 * gene(x, 6) + 9 * gene(x, 7) - 105, 0) +
         fmax(10 * a - 8 * b - 17 * gene(x, 6) + 2 * gene(x, 7), 0) +
         fmax(-8 * a + 2 * b + 5 * gene(x, 8) - 2 * gene(x, 9) - 12, 0) +
         fmax(3 * square(a - 2) + 4 * square(b - 3) + 2 * square(gene(x, 2)) - 7 * gene(x, 3) - 120, 0) +
         fmax(5 * square(a) + 8 * b + square(gene(x, 2) - 6) - 2 * gene(x, 3) - 40, 0) +
         fmax(square(a) + 2 * square(b - 2) - 2 * a * b + 14 * gene(x, 4) - 6 * gene(x, 5), 0) +
         fmax(0.5 * square(a - 8) + 2 * square(b - 4) + 3 * square(gene(x, 4)) - gene(x, 5) - 30, 0) +
         fmax(-3 * a + 6 * b + 12 * square(gene(x, 8) - 8) - 7 * gene(x, 9), 0);
}
