// clopt: reals, minimise
// CEC 2006, g02: 20 parameters, two inequalities, many local minima; best known value -0.8036191041.
real objective(individual x) {
  real fourths = 0;
  real squares = 1;
  real weights = 0;
  for (uint i = 0; i < 20; ++i) {
    const real c = cos(gene(x, i));
    fourths += c * c * c * c;
    squares *= c * c;
    weights += (i + 1) * gene(x, i) * gene(x, i);
  }
  return -fabs((fourths - 2 * squares) / sqrt(weights));
}
real violation(individual x) {
  real product = 1;
  real sum = 0;
  for (uint i = 0; i < 20; ++i) {
    product *= gene(x, i);
    sum += gene(x, i);
  }
  return fmax(0.75 - product, 0) + fmax(sum - 150, 0);
}
