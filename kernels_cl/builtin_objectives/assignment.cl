// clopt: permutation, minimise
// Quadratic assignment: gene i is the place of facility i. The table: for n places n * n distances between them, then
// n * n flows between facilities, whole numbers.
int objective_count(individual x, uint i) {
  const uint n = genes(x);
  const uint here = gene(x, i) * n;
  const uint flows = n * n + i * n;
  int sum = 0;
  for (uint j = 0; j < n; ++j) sum += (int)table_value(x, flows + j) * (int)table_value(x, here + gene(x, j));
  return sum;
}
