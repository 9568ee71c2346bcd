// clopt: reals, minimise, lower -600, upper 600, optimum 0
real objective(individual x) {
  real sum = 0;
  real product = 1;
  for (uint i = 0; i < genes(x); ++i) {
    const real g = gene(x, i);
    sum += g * g;
    product *= cos(g / sqrt((real)(i + 1)));
  }
  return sum / 4000 - product + 1;
}
