// clopt: integers, minimise, lower 0, upper 7
// Loads of eight machines: gene i is the machine of job i; the sum of squares of loads.
real objective(individual x) {
  real sum = 0;
  for (int m = 0; m < 8; ++m) {
    int load = 0;
    for (uint i = 0; i < genes(x); ++i) if (gene(x, i) == m) load += (int)(1 + i * 37 % 101);
    sum += (real)load * (real)load;
  }
  return sum;
}
