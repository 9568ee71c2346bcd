// clopt: parameters a, m, s
real model(individual x, real t) {
  const real z = (t - gene(x, 1)) / gene(x, 2);
  return gene(x, 0) * exp(-z * z / 2);
}
