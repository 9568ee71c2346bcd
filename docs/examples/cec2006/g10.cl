// clopt: reals, minimise
// CEC 2006, g10: 8 parameters, six inequalities of unlike size; best known value 7049.24802052867.
real objective(individual x) { return gene(x, 0) + gene(x, 1) + gene(x, 2); }
real violation(individual x) {
  return fmax(-1 + 0.0025 * (gene(x, 3) + gene(x, 5)), 0) + fmax(-1 + 0.0025 * (gene(x, 4) + gene(x, 6) - gene(x, 3)), 0) +
         fmax(-1 + 0.01 * (gene(x, 7) - gene(x, 4)), 0) +
         fmax(-gene(x, 0) * gene(x, 5) + 833.33252 * gene(x, 3) + 100 * gene(x, 0) - 83333.333, 0) +
         fmax(-gene(x, 1) * gene(x, 6) + 1250 * gene(x, 4) + gene(x, 1) * gene(x, 3) - 1250 * gene(x, 3), 0) +
         fmax(-gene(x, 2) * gene(x, 7) + 1250000 + gene(x, 2) * gene(x, 4) - 2500 * gene(x, 4), 0);
}
