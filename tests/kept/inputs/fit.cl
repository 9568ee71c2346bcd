// clopt: reals, lower 0, upper 10
real residual(individual x, uint j) {
  return gene(x, 0) * exp(-gene(x, 1) * abscissa(x, j)) - row(x, j);
}
