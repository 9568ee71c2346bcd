// clopt: reals, maximise, lower 0, upper 1
// Points in a square, two genes each, as far from each other as they can be: the least distance of any two.
real objective(individual x) {
  real least = 2;
  for (uint i = 0; i < genes(x); i += 2)
    for (uint j = 0; j < i; j += 2)
      least = fmin(least, hypot(gene(x, i) - gene(x, j), gene(x, i + 1) - gene(x, j + 1)));
  return least;
}
