// clopt: reals, minimise, lower -5.12, upper 5.12, optimum 0
real objective_term(individual x, uint i) { return gene(x, i) * gene(x, i); }
