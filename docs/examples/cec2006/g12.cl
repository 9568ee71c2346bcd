// clopt: reals, minimise
// CEC 2006, g12: 3 parameters within one of 729 balls; best known value -1.
real square(real x) { return x * x; }
real objective(individual x) {
  return -(100 - square(gene(x, 0) - 5) - square(gene(x, 1) - 5) - square(gene(x, 2) - 5)) / 100;
}
// The nearest centre has whole coordinates from 1 to 9.
real beside(real x) { return square(x - fmin(fmax(floor(x + 0.5), 1), 9)); }
real violation(individual x) { return fmax(beside(gene(x, 0)) + beside(gene(x, 1)) + beside(gene(x, 2)) - 0.0625, 0); }
