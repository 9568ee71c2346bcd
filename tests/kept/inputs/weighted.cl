// clopt: bits, maximise, optimum 40
int objective_count(individual x, uint i) {
  return (int)gene(x, i) * (int)W(x, i % W_size);
}
