// clopt: bits, maximise
// NK landscape: each gene and its K neighbours choose a value. The table: K; then, for each gene, its neighbours and
// 2^(K+1) values, in which the gene is the lowest bit of the index and its neighbours follow in their order.
real objective_term(individual x, uint i) {
  const uint neighbours = (uint)table_value(x, 0);
  const uint first = 1 + i * (neighbours + (2u << neighbours));
  uint pattern = gene(x, i);
  for (uint k = 0; k < neighbours; ++k) pattern |= gene(x, (uint)table_value(x, first + k)) << (k + 1);
  return table_value(x, first + neighbours + pattern);
}
