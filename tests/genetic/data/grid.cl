// clopt: integers, minimise, lower -50, upper 50, optimum 0
// Rastrigin's function on a grid of a tenth.
real objective_term(individual x, uint i) {
  const real v = (real)gene(x, i) / 10 - (real)(i % 3);
  return v * v - 10 * cospi(2 * v) + 10;
}
