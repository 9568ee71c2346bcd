// clopt: reals, minimise, lower -32, upper 32, optimum 0
// Two sums, so that a work-item takes a whole individual.
real objective(individual x) {
  real squares = 0;
  real waves = 0;
  for (uint i = 0; i < genes(x); ++i) {
    const real g = gene(x, i);
    squares += g * g;
    waves += cos(2 * M_PI * g);
  }
  const real n = (real)genes(x);
  return 20 - 20 * exp(-sqrt(squares / n) / 5) + (M_E - exp(waves / n));
}
