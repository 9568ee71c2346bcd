// clopt: reals, maximise, lower 0, upper 3
real objective(individual x) { return gene(x, 0) + gene(x, 1); }
real violation(individual x) { return gene(x, 0) * gene(x, 1) - LIMIT; }
