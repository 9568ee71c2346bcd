// clopt: reals, minimise
// CEC 2006, g09: 7 parameters, four inequalities; best known value 680.630057374402.
real square(real x) { return x * x; }
real objective(individual x) {
  return square(gene(x, 0) - 10) + 5 * square(gene(x, 1) - 12) + square(square(gene(x, 2))) + 3 * square(gene(x, 3) - 11) +
         10 * square(square(gene(x, 4))) * square(gene(x, 4)) + 7 * square(gene(x, 5)) + square(square(gene(x, 6))) -
         4 * gene(x, 5) * gene(x, 6) - 10 * gene(x, 5) - 8 * gene(x, 6);
}
real violation(individual x) {
  const real a = gene(x, 0);
  const real b = gene(x, 1);
  const real c = gene(x, 2);
  return fmax(2 * square(a) + 3 * square(square(b)) + c + 4 * square(gene(x, 3)) + 5 * gene(x, 4) - 127, 0) +
         fmax(7 * a + 3 * b + 10 * square(c) + gene(x, 3) - gene(x, 4) - 282, 0) +
         fmax(23 * a + square(b) + 6 * square(gene(x, 5)) - 8 * gene(x, 6) - 196, 0) +
         fmax(4 * square(a) + square(b) - 3 * a * b + 2 * square(c) + 5 * gene(x, 5) - 11 * gene(x, 6), 0);
}
