// clopt: reals, minimise
// CEC 2006, g08: 2 parameters, two inequalities; best known value -0.0958250414180359.
real objective(individual x) {
  const real s = sinpi(2 * gene(x, 0));
  const real a = gene(x, 0);
  return -(s * s * s * sinpi(2 * gene(x, 1))) / (a * a * a * (a + gene(x, 1)));
}
real violation(individual x) {
  const real a = gene(x, 0);
  const real b = gene(x, 1);
  return fmax(a * a - b + 1, 0) + fmax(1 - a + (b - 4) * (b - 4), 0);
}
