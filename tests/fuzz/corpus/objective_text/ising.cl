// clopt: bits, maximise
// Ising spin glass: the sum over bonds of J if both spins are equal, else -J; that is the energy with its sign changed. The
// table: how many bonds; then, for each, its two spins and J.
real objective(individual x) {
  const uint bonds = (uint)table_value(x, 0);
  real sum = 0;
  for (uint bond = 0; bond < bonds; ++bond) {
    const uint first = (uint)table_value(x, 3 * bond + 1);
    const uint second = (uint)table_value(x, 3 * bond + 2);
    const real coupling = table_value(x, 3 * bond + 3);
    sum += gene(x, first) == gene(x, second) ? coupling : -coupling;
  }
  return sum;
}
