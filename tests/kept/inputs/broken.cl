// clopt: reals
real objective(individual x) { return gene(x, 0) +; }
