// clopt: bits, maximise
// The weights of the clauses that hold, less a penalty for each hard clause that does not. The table: how many clauses;
// then, for each, its weight (of a hard one the penalty, negative), how many literals, and the literals, a variable's
// number from 1 on, negative where it is negated.
real objective(individual x) {
  const uint clauses = (uint)table_value(x, 0);
  uint at = 1;
  real sum = 0;
  for (uint clause = 0; clause < clauses; ++clause) {
    const real weight = table_value(x, at);
    const uint end = at + 2 + (uint)table_value(x, at + 1);
    uint holds = 0;
    for (at += 2; at < end; ++at) {
      const int literal = (int)table_value(x, at);
      const uint variable = (uint)(literal > 0 ? literal : -literal) - 1;
      holds |= gene(x, variable) ^ (literal < 0 ? 1u : 0u);
    }
    if ((holds != 0) == (weight > 0)) sum += weight;
  }
  return sum;
}
