// clopt: reals, minimise
// CEC 2006, g06: 2 parameters between two circles; best known value -6961.8138755802.
real cube(real x) { return x * x * x; }
real objective(individual x) { return cube(gene(x, 0) - 10) + cube(gene(x, 1) - 20); }
real violation(individual x) {
  const real a = gene(x, 0);
  const real b = (gene(x, 1) - 5) * (gene(x, 1) - 5);
  return fmax(100 - (a - 5) * (a - 5) - b, 0) + fmax((a - 6) * (a - 6) + b - 82.81, 0);
}
