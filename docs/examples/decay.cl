// The squared distance of y = a exp(-b t) + c from a row of measurements at t = 0, 0.5, 1, ...
real objective(individual x) {
  real sum = 0;
  for (uint j = 0; j < columns(x); ++j) {
    const real y = gene(x, 0u) * exp(-gene(x, 1u) * (j * 0.5)) + gene(x, 2u);
    sum += (y - row(x, j)) * (y - row(x, j));
  }
  return sum;
}
