// clopt: bits, minimise, optimum 0
// The number of ones.
int objective_word(individual x, uint word) { return (int)popcount(gene_word(x, word)); }
