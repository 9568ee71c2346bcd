// clopt: bits, maximise
// What to take along: the worth of the things that are taken, and by how much they weigh or fill too much.
real objective(individual x) {
  real sum = 0;
  for (uint i = 0; i < genes(x); ++i)
    if (gene(x, i)) sum += worth(x, i);
  return sum;
}

real violation(individual x) {
  real heavy = -LIMIT_WEIGHT;
  real bulky = -LIMIT_VOLUME;
  for (uint i = 0; i < genes(x); ++i)
    if (gene(x, i)) {
      heavy += weight(x, i);
      bulky += volume(x, i);
    }
  return fmax(heavy, 0) + fmax(bulky, 0);
}
